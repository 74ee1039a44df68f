import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CitationEvent } from '#citations/reply-event';
import type { SourceDocument } from '#citations/source-document';
import { confidenceLabel, scoreAnswer } from '#confidence/score-answer';
import { readEvidence } from '#judge/read-evidence';
import { classifyShape } from '#shape/classify-shape';

const TEXT = 'The office in Lyon opened in 2019. It has forty desks. Visitors sign in at the front desk.';
const SOURCES: readonly SourceDocument[] = [
  { id: 'doc_1', title: 'Offices', passages: [{ text: TEXT, start: 0, end: TEXT.length }] },
  { id: 'doc_2', title: 'Parking', passages: [{ text: 'Bicycles go behind the house.', start: 0, end: 29 }] },
];
const QUESTION = 'When did the office in Lyon open?';

function cite(quote: string, sourceId = 'doc_1'): CitationEvent {
  return { type: 'citation', marker: 1, sourceId, passageIndex: 0, quote, textStart: 0, textEnd: quote.length };
}

function score(reply: string, citations: readonly CitationEvent[], sources = SOURCES, question = QUESTION) {
  return scoreAnswer({ question, reply, citations, sources, shape: classifyShape(question) });
}

describe('scoreAnswer', () => {
  it('gives a high score to an answer that its sources support', async () => {
    const confidence = await score('The office in Lyon opened in 2019. [1]', [
      cite('The office in Lyon opened in 2019.'),
    ]);
    expect(confidence.label).toBe('high');
    expect(confidence.violations).toEqual([]);
    expect(confidence.signals.coverageCompleteness).toBeGreaterThan(0.9);
  });

  it('returns the same score if the evidence is already cached', async () => {
    const reply = ['It opened in 2019. [1]', [cite('The office in Lyon opened in 2019.')]] as const;
    const sources = [...SOURCES];
    await readEvidence(QUESTION, sources);
    expect(await score(...reply, sources)).toEqual(await score(...reply));
    const other = 'Where do bicycles go?';
    expect(await score(...reply, sources, other)).toEqual(await score(...reply, [...SOURCES], other));
  });

  it('is the weighted sum of its signals', async () => {
    const { score: total, signals } = await score('It has forty desks. [1]', [cite('It has forty desks.')]);
    const sum =
      0.5 * signals.coverageRatio +
      0.2 * signals.shapeConfidence +
      0.15 * signals.coverageCompleteness +
      0.15 * signals.violationFree;
    expect(total).toBeCloseTo(sum, 3);
  });

  it.each([
    ['no sources', 'It opened in 2019.', [], []],
    ['no citation', 'It opened in 2019.', [], SOURCES],
    ['a refusal', 'I could not find an answer to that in the documents I can see.', [], SOURCES],
    ['an empty reply', '', [], SOURCES],
  ] as const)('is low for %s', async (_case, reply, citations, sources) => {
    const { label, signals } = await score(reply, citations, sources);
    expect(label).toBe('low');
    expect(signals).toMatchObject({ coverageRatio: 0, coverageCompleteness: 0 });
  });

  it('ranks a refusal with a quote above one without, and labels both low', async () => {
    const refusal = 'I could not find an answer to that.';
    const quoting = await score(`${refusal} The closest: It has forty desks. [1]`, [cite('It has forty desks.')]);
    expect(quoting.label).toBe('low');
    expect(quoting.score).toBeGreaterThan((await score(refusal, [])).score);
    expect(quoting.signals.coverageCompleteness).toBe(0);
  });

  it('scores an answer from the wrong passage below one from the right passage', async () => {
    const right = await score('The office in Lyon opened in 2019. [1]', [cite('The office in Lyon opened in 2019.')]);
    const wrong = await score('Bicycles go behind the house. [1]', [cite('Bicycles go behind the house.', 'doc_2')]);
    expect(wrong.score).toBeLessThan(right.score);
    expect(wrong.label).toBe('low');
  });

  it('lowers the score for uncited claims and for numbers that no source contains', async () => {
    const quote = cite('The office in Lyon opened in 2019.');
    const { violations, signals } = await score(
      'The office in Lyon opened in 2017. [1] The canteen serves lunch every day.',
      [quote],
    );
    expect(violations.map(({ rule }) => rule)).toEqual(['uncited_claim', 'unsupported_number']);
    expect(signals.violationFree).toBeLessThan(0.5);
  });

  it('reports quotes that are not in the passage and markers without a citation', async () => {
    const { violations } = await score('The office in Lyon opened early. [1] It closed. [4]', [
      cite('The office opened early.'),
    ]);
    expect(violations.map(({ rule }) => rule)).toEqual(['dangling_marker', 'unsupported_quote']);
  });

  it('gives a medium score to small talk, which needs no source', async () => {
    expect((await score('Hello! Ask me something.', [], [], 'Hello!')).label).toBe('medium');
  });

  it('is never high without a citation', async () => {
    const messages = fc.oneof(fc.constantFrom('Hello!', 'Thanks', 'Who are you?', QUESTION), fc.string());
    await fc.assert(
      fc.asyncProperty(messages, fc.string(), fc.boolean(), async (message, reply, hasSources) => {
        const { label } = await score(reply, [], hasSources ? [...SOURCES] : [], message);
        expect(label).not.toBe('high');
      }),
    );
  });

  it('is low if the cited sentence is about another year than the question', async () => {
    const quote = cite('The office in Lyon opened in 2019.');
    const { label } = await score('The office in Lyon opened in 2019. [1]', [quote], SOURCES, 'Did it open in 2018?');
    expect(label).toBe('low');
  });
});

describe('confidenceLabel', () => {
  it.each([
    [1, 'high'],
    [0.75, 'high'],
    [0.749, 'medium'],
    [0.45, 'medium'],
    [0.449, 'low'],
    [0, 'low'],
  ] as const)('labels %s as %s', (value, label) => {
    expect(confidenceLabel(value)).toBe(label);
  });
});
