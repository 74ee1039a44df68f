import { describe, expect, it } from '@jest/globals';
import type { SourceDocument } from '#citations/source-document';
import { compareGrams } from '#evidence/rare-grams';
import { compareSources, readEvidence } from '#judge/read-evidence';

const PASSAGES = 24;
const SENTENCES = 15;
const MESSAGE_CHARACTERS = 32_000;

const words = (count: number, from: number): string =>
  Array.from({ length: count }, (_, at) => `w${((from + at) * 7919) % 99_991}`).join(' ');

const passage = (at: number): string =>
  Array.from({ length: SENTENCES }, (_, sentence) => `Topic ${words(12, at * 100 + sentence)}.`).join(' ');

function sourcesOf(textOf: (at: number) => string): SourceDocument[] {
  return Array.from({ length: PASSAGES }, (_, at) => {
    const text = textOf(at);
    return { id: `doc_${at}`, title: `Document ${at}`, passages: [{ text, start: 0, end: text.length }] };
  });
}

const LONG_QUESTION = words(6_000, 1).slice(0, MESSAGE_CHARACTERS);

describe('compareSources', () => {
  it('pauses several times for each unit and each passage, however long the question is', () => {
    const work = compareSources(LONG_QUESTION, sourcesOf(passage));
    let pauses = 0;
    while (!work.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan(3 * PASSAGES * SENTENCES + 3 * PASSAGES);
  });

  it('pauses within a passage that is long', () => {
    const text = passage(1).repeat(50);
    const work = compareGrams(LONG_QUESTION, [{ documentId: 'doc_1', text }]);
    let pauses = 0;
    while (!work.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan(text.length / 1_000);
  });
});

describe('readEvidence', () => {
  it('compares the same question and sources once', () => {
    const sources = sourcesOf(passage);
    expect(readEvidence('Where is it?', sources)).toBe(readEvidence('Where is it?', sources));
    expect(readEvidence('Who is it?', sources)).not.toBe(readEvidence('Where is it?', sources));
  });
});
