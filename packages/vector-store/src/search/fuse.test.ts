import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DocumentCandidate, type FusionSettings, fuse } from '#search/fuse';
import type { Ranking } from '#search/run-legs';

/** Passage `a1` is of document `a`. */
const ranking = (name: Ranking['name'], scores: Record<string, number>): Ranking => ({
  name,
  space: undefined,
  isCutOff: false,
  passages: Object.entries(scores).map(([id, score]) => ({ id, key: id.slice(0, 1), score })),
});
const rounded = (value: number) => Math.round(value * 1_000) / 1_000;
const scoresOf = (documents: readonly DocumentCandidate[]) =>
  Object.fromEntries(documents.map(({ key, score }) => [key, rounded(score)]));
const passagesOf = (documents: readonly DocumentCandidate[]) =>
  Object.fromEntries(documents.flatMap(({ passages }) => passages.map(({ id, score }) => [id, rounded(score)])));
/** One passage of each document, best first, with the scores 99, 98, 97… */
const descending = (keys: string) => Object.fromEntries([...keys].map((key, at) => [`${key}1`, 99 - at]));
const weights = { keyword: 1, semantic: 0.5, document: 0.5 } as const;
const byScore: FusionSettings = { fusion: 'score', weights };
const asTheyAre: FusionSettings = { fusion: undefined, weights };

describe('fuse', () => {
  it('adds the weighted scores of the passage legs, scaled to 1', () => {
    const legs = [ranking('keyword', { a1: 30, b1: 20, c1: 10 }), ranking('semantic', { c1: 0.9, b1: 0.5, d1: 0.1 })];
    expect(scoresOf(fuse(legs, byScore))).toEqual({ a: 0.667, b: 0.505, c: 0.34, d: 0.003 });
  });

  it('keeps the score of each leg', () => {
    const [first] = fuse([ranking('keyword', { a1: 30 }), ranking('semantic', { a1: 0.4 })], byScore);
    const passage = { id: 'a1', key: 'a', score: 1, scores: { keyword: 30, semantic: 0.4 } };
    expect(first).toEqual({ key: 'a', score: 1, passages: [passage], point: 'a1' });
  });

  it('ranks a document by its best passage and by the document leg', () => {
    const legs = [ranking('keyword', { a1: 30, b2: 20, b3: 10 }), ranking('document', { b1: 40, a1: 20 })];
    const documents = fuse(legs, byScore);
    // a: (1 + .5 · .01) / 1.5; b: (.505 + .5) / 1.5
    expect(scoresOf(documents)).toEqual({ a: 0.67, b: 0.67 });
    expect(passagesOf(documents)).toEqual({ a1: 1, b2: 0.505, b3: 0.01 });
    expect(documents.map(({ point }) => point)).toEqual(expect.arrayContaining(['a1', 'b2']));
  });

  it('trusts the document leg less if its scores differ little', () => {
    const words = ranking('keyword', { a1: 30, b1: 20, c1: 10 });
    const leadOf = (document: Record<string, number>) => {
      const { a = 0, c = 0 } = scoresOf(fuse([words, ranking('document', document)], byScore));
      return a - c;
    };
    // The leg prefers c: with its whole weight, with a quarter of it, and with almost none.
    expect(leadOf({ c1: 40, a1: 20 })).toBeCloseTo((0.99 - 0.5 * 0.99) / 1.5, 2);
    expect(leadOf({ c1: 40, a1: 40 - 10 / 1.8 })).toBeCloseTo((0.99 - 0.125 * 0.99) / 1.125, 2);
    expect(leadOf({ c1: 40, a1: 39.9 })).toBeGreaterThan(0.97);
  });

  it('trusts the document leg more if it finds other documents than the passages', () => {
    const words = ranking('keyword', { a1: 30, a2: 20, b1: 10 });
    const sharesOf = (document: Record<string, number>) =>
      scoresOf(fuse([words, ranking('document', document)], byScore));
    // Half of its documents are others, so its weight is twice .5; then all are, and it is three times .5.
    expect(sharesOf({ c1: 40, a1: 20 })).toEqual({ a: 0.505, c: 0.5, b: 0.005 });
    expect(sharesOf({ c1: 40, d1: 20 })).toEqual({ c: 0.6, a: 0.4, d: 0.006, b: 0.004 });
  });

  it('compares only the first twenty documents of both legs', () => {
    const words = ranking('keyword', descending('ABCDEFGHIJKLMNOPQRSTU'));
    const found = descending('BCDEFGHIJKLMNOPQRSTU');
    const scoreOfFirst = (document: Record<string, number>) =>
      scoresOf(fuse([words, ranking('document', document)], byScore)).A;
    // One in twenty, U, is the 21st of the passages: 1 / (1 + .5 · (1 + 2 / 20)).
    expect(scoreOfFirst(found)).toBe(0.645);
    expect(scoreOfFirst({ ...found, Z1: 80 })).toBe(0.645);
  });

  it('uses the whole weight of the document leg if no passage has a word', () => {
    const legs = [ranking('semantic', { a1: 0.9, b1: 0.1 }), ranking('document', { b1: 2.1, a1: 2 })];
    // a: (.5 + .5 · .01) / 1; b: (.5 · .01 + .5) / 1
    expect(scoresOf(fuse(legs, byScore))).toEqual({ a: 0.505, b: 0.505 });
  });

  it('scales to 1 if only one leg found passages', () => {
    expect(scoresOf(fuse([ranking('keyword', { a1: 30, b1: 10 })], byScore))).toEqual({ a: 1, b: 0.01 });
    expect(scoresOf(fuse([ranking('keyword', { a1: 7, b1: 7 })], byScore))).toEqual({ a: 1, b: 1 });
    expect(fuse([ranking('keyword', {}), ranking('semantic', {})], byScore)).toEqual([]);
  });

  it('uses only ranks with the fusion "rank"', () => {
    const legs = [ranking('keyword', { a1: 1_000, b1: 1 }), ranking('semantic', { b1: 0.9, a1: 0.89 })];
    const byRank: FusionSettings = { fusion: 'rank', weights };
    const { a, b } = scoresOf(fuse(legs, byRank));
    expect(a).toBe(b);
    expect(scoresOf(fuse([legs[0]!, ranking('semantic', { a1: 0.2, b1: 0.1 })], byRank)).a).toBe(1);
  });

  it('counts both legs of words together as much as the semantic leg with the fusion "rank"', () => {
    const words = { a1: 3, b1: 2, c1: 1 };
    const legs = [ranking('keyword', words), ranking('document', words), ranking('semantic', { c1: 3, b1: 2, a1: 1 })];
    const { a, c } = scoresOf(fuse(legs, { fusion: 'rank', weights }));
    expect(a).toBe(c);
  });

  it('merges the spaces of a leg and counts a passage in both once', () => {
    const spaces = [ranking('semantic', { a1: 0.8, b1: 0.2 }), ranking('semantic', { c1: 0.6, a1: 0.1 })];
    const settings = { fusion: undefined, weights: { ...weights, semantic: 1 } };
    expect(scoresOf(fuse(spaces, settings))).toEqual({ a: 0.8, c: 0.6, b: 0.2 });
  });

  it('keeps the scores of a search with one leg', () => {
    expect(scoresOf(fuse([ranking('keyword', { a1: 30, b1: 10 })], asTheyAre))).toEqual({ a: 30, b: 10 });
  });

  it('returns the mean of both legs without a fusion', () => {
    const legs = [ranking('keyword', { a1: 30, b1: 12 }), ranking('document', { b1: 30, c1: 3 })];
    expect(scoresOf(fuse(legs, asTheyAre))).toEqual({ a: 20, b: 18, c: 1 });
  });

  it('returns every document of every leg once, best first, with scores from 0 to 1', () => {
    const scores = fc.dictionary(
      fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1', 'd1', 'e1'),
      fc.double({ min: 0.1, max: 50, noNaN: true }),
    );
    const ordered = (found: Record<string, number>) =>
      Object.fromEntries(Object.entries(found).sort(([, a], [, b]) => b - a));
    fc.assert(
      fc.property(
        scores,
        scores,
        scores,
        fc.constantFrom<FusionSettings['fusion']>('score', 'rank'),
        (k, s, d, fusion) => {
          const legs = [
            ranking('keyword', ordered(k)),
            ranking('semantic', ordered(s)),
            ranking('document', ordered(d)),
          ];
          const documents = fuse(legs, { fusion, weights });
          const expected = new Set([k, s, d].flatMap((found) => Object.keys(found).map((id) => id.slice(0, 1))));
          expect(documents.map(({ key }) => key).sort()).toEqual([...expected].sort());
          for (const [at, { score }] of documents.entries()) {
            expect(score).toBeGreaterThan(0);
            expect(score).toBeLessThanOrEqual(1 + 1e-9);
            expect(score).toBeLessThanOrEqual(documents[at - 1]?.score ?? 1 + 1e-9);
          }
        },
      ),
    );
  });
});
