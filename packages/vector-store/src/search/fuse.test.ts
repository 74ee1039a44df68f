import { describe, expect, it } from '@jest/globals';
import { fuse } from '#search/fuse';
import type { Ranking } from '#search/run-legs';

const ranking = (name: Ranking['name'], scores: Record<string, number>): Ranking => ({
  name,
  space: undefined,
  isCutOff: false,
  passages: Object.entries(scores).map(([id, score]) => ({ id, document: `doc_${id}`, score })),
});
const scoresOf = (candidates: ReturnType<typeof fuse>) =>
  Object.fromEntries(candidates.map(({ id, score }) => [id, Math.round(score * 1_000) / 1_000]));
const byScore = { fusion: 'score', weights: { keyword: 1, semantic: 0.5 } } as const;

describe('fuse', () => {
  it('adds the weighted scores of all legs, scaled to 1', () => {
    const legs = [ranking('keyword', { a: 30, b: 20, c: 10 }), ranking('semantic', { c: 0.9, b: 0.5, d: 0.1 })];
    expect(scoresOf(fuse(legs, byScore))).toEqual({ a: 0.667, b: 0.505, c: 0.34, d: 0.003 });
  });

  it('keeps the score of each leg', () => {
    const [first] = fuse([ranking('keyword', { a: 30 }), ranking('semantic', { a: 0.4 })], byScore);
    expect(first).toEqual({ id: 'a', document: 'doc_a', score: 1, scores: { keyword: 30, semantic: 0.4 } });
  });

  it('scales to 1 if only one leg found passages', () => {
    expect(scoresOf(fuse([ranking('keyword', { a: 30, b: 10 })], byScore))).toEqual({ a: 1, b: 0.01 });
    expect(scoresOf(fuse([ranking('keyword', { a: 7, b: 7 })], byScore))).toEqual({ a: 1, b: 1 });
    expect(fuse([ranking('keyword', {}), ranking('semantic', {})], byScore)).toEqual([]);
  });

  it('uses only ranks with the fusion "rank"', () => {
    const legs = [ranking('keyword', { a: 1_000, b: 1 }), ranking('semantic', { b: 0.9, a: 0.89 })];
    const { a, b } = scoresOf(fuse(legs, { ...byScore, fusion: 'rank' }));
    expect(a).toBe(b);
    expect(scoresOf(fuse([legs[0]!, ranking('semantic', { a: 0.2, b: 0.1 })], { ...byScore, fusion: 'rank' })).a).toBe(
      1,
    );
  });

  it('merges the spaces of a leg and counts a passage in both once', () => {
    const spaces = [ranking('semantic', { a: 0.8, b: 0.2 }), ranking('semantic', { c: 0.6, a: 0.1 })];
    expect(scoresOf(fuse(spaces, undefined))).toEqual({ a: 0.8, c: 0.6, b: 0.2 });
  });

  it('keeps the scores of a search with one leg', () => {
    expect(scoresOf(fuse([ranking('keyword', { a: 30, b: 10 })], undefined))).toEqual({ a: 30, b: 10 });
  });
});
