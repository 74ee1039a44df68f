import { describe, expect, it } from '@jest/globals';
import { auroc } from '#evaluation/auroc';
import { calibrationError, reliabilityCurve } from '#evaluation/reliability';
import { type ReplyForm, replyForm } from '#evaluation/reply-form';
import { type AskedQuestion, summarizeQuestions } from '#evaluation/summarize-questions';
import { CORRECTION_DIVIDER } from '#quality/correction';

const FORM: ReplyForm = { citesValidly: true, abstains: false, isCorrected: false, keepsRules: true };

function question(right: number, wrong: number | undefined, citesRight = true): AskedQuestion {
  const label = (score: number) => (score < 0.45 ? 'low' : 'high');
  return {
    id: 'q',
    text: 'q?',
    right: { score: right, label: label(right), citesRight, excerptHolds: citesRight, replyHolds: false, form: FORM },
    wrong:
      wrong === undefined
        ? undefined
        : { score: wrong, label: label(wrong), form: { ...FORM, abstains: true, keepsRules: false } },
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

describe('summarizeQuestions', () => {
  it('compares right with wrong sources and counts low confidence for wrong ones', () => {
    const result = summarizeQuestions([question(0.9, 0.3), question(0.4, 0.5, false), question(0.8, undefined)]);
    expect(result.questionCounts).toEqual({ withAnswer: 3, withoutAnswer: 2 });
    expect(result.auroc).toBeCloseTo(5 / 6);
    expect(result.aurocCitedRight).toBe(1);
    expect(result.lowWithoutAnswer).toBe(0.5);
    expect(result.excerptHolds).toBeCloseTo(2 / 3);
    expect(result).toMatchObject({ abstainsWithAnswer: 0, abstainsWithoutAnswer: 1, citesValidly: 1, keepsRules: 0.6 });
  });
});

describe('replyForm', () => {
  const sources = [{ excerpt: 'The office opened in 2019.' }];

  it('accepts citations whose markers belong to sources', () => {
    expect(replyForm({ content: 'It opened in 2019 [1].', sources })).toMatchObject({
      citesValidly: true,
      abstains: false,
      isCorrected: false,
      keepsRules: undefined,
    });
    expect(replyForm({ content: 'It opened in 2019 [2].', sources }).citesValidly).toBe(false);
    expect(replyForm({ content: 'It opened in 2019.', sources }).citesValidly).toBe(false);
  });

  it('does not take a quoted sentence for a refusal', () => {
    const excerpt = 'The auditors could not find an answer in the files. They left.';
    const content = 'According to "Audit": The auditors could not find an answer in the files. [1]';
    expect(replyForm({ content, sources: [{ excerpt }] }).abstains).toBe(false);
    expect(replyForm({ content, sources }).abstains).toBe(true);
  });

  it('checks the correction of a corrected reply', () => {
    const content = `It opened in 2017 [2].${CORRECTION_DIVIDER}I could not find an answer in the documents.`;
    expect(replyForm({ content, sources, violationFree: 1 })).toEqual({
      citesValidly: false,
      abstains: true,
      isCorrected: true,
      keepsRules: true,
    });
  });
});
