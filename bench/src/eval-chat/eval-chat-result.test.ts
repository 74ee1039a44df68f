import { describe, expect, it } from '@jest/globals';
import { auroc } from '#eval-chat/auroc';
import { type AskedQuestion, summarizeChat } from '#eval-chat/eval-chat-result';
import { halfOf, halfWithout } from '#eval-chat/halves';
import { containsAnswer } from '#eval-chat/read-answers';
import { calibrationError, reliabilityCurve } from '#eval-chat/reliability';
import { writeChatReport } from '#eval-chat/report';
import { splitCorpus } from '#eval-chat/split-corpus';

function question(right: number, wrong: number | undefined, citesRight = true): AskedQuestion {
  const label = (score: number) => (score < 0.45 ? 'low' : 'high');
  return {
    id: 'q',
    text: 'q?',
    right: { score: right, label: label(right), citesRight, excerptHolds: citesRight, replyHolds: false },
    wrong: wrong === undefined ? undefined : { score: wrong, label: label(wrong) },
  };
}

describe('auroc', () => {
  it('returns the share of correctly ordered pairs, and counts a tie as half', () => {
    expect(auroc([0.9, 0.8], [0.1, 0.2])).toBe(1);
    expect(auroc([0.1], [0.9])).toBe(0);
    expect(auroc([0.5, 0.9], [0.5, 0.1])).toBe(0.875);
    expect(auroc([], [0.5])).toBeNaN();
  });
});

describe('reliabilityCurve', () => {
  it('groups answers by tenths of their score', () => {
    const curve = reliabilityCurve([
      { score: 0.95, right: true },
      { score: 1, right: false },
      { score: 0.12, right: false },
    ]);
    expect(curve.map(({ from, count, right }) => [from, count, right])).toEqual([
      [0.1, 1, 0],
      [0.9, 2, 0.5],
    ]);
    expect(calibrationError(curve)).toBeCloseTo((0.12 + 2 * 0.475) / 3);
  });
});

describe('summarizeChat', () => {
  it('compares right with wrong sources and counts low confidence for wrong ones', () => {
    const result = summarizeChat([question(0.9, 0.3), question(0.4, 0.5, false), question(0.8, undefined)]);
    expect(result.questionCounts).toEqual({ withAnswer: 3, withoutAnswer: 2 });
    expect(result.auroc).toBeCloseTo(5 / 6);
    expect(result.aurocCitedRight).toBe(1);
    expect(result.lowWithoutAnswer).toBe(0.5);
    expect(result.excerptHolds).toBeCloseTo(2 / 3);
    expect(writeChatReport('sample', result)).toContain('| cited passage contains the answer');
  });
});

describe('halfWithout', () => {
  it('returns the half without the documents, or undefined if both have some', () => {
    const ids = Array.from({ length: 40 }, (_, at) => `document ${at}`);
    const first = ids.find((id) => halfOf(id) === 0) ?? '';
    const second = ids.find((id) => halfOf(id) === 1) ?? '';
    expect(halfWithout([first])).toBe(1);
    expect(halfWithout([second])).toBe(0);
    expect(halfWithout([first, second])).toBeUndefined();
  });
});

describe('splitCorpus', () => {
  const documents = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: '', text: '' }));

  it('excludes exactly the answering documents of a small corpus', () => {
    const { parts, without } = splitCorpus(documents(3));
    expect(parts.map(([one]) => one?.id)).toEqual(['0', '1', '2']);
    expect(without(['1'])).toEqual([0, 2]);
    expect(without(['0', '1', '2'])).toBeUndefined();
  });

  it('splits a large corpus into two halves', () => {
    const { parts, without } = splitCorpus(documents(100));
    expect(parts.map(({ length }) => length).reduce((a, b) => a + b)).toBe(100);
    expect(without(['1'])).toEqual([1 - halfOf('1')]);
  });
});

describe('containsAnswer', () => {
  it('ignores case and line breaks', () => {
    expect(containsAnswer('It was  signed\nin Paris.', ['Signed in paris'])).toBe(true);
    expect(containsAnswer('It was signed in Paris.', ['London'])).toBe(false);
  });
});
