import { describe, expect, it, jest } from '@jest/globals';
import { createSparseEncoder, wordId } from '@lectern/embeddings';
import { createLogger } from '@lectern/service-kit';
import type { DocumentHit, VectorStore } from '@lectern/vector-store';
import { correctSpelling } from '#meaning/correct-spelling';
import { analyzeOperators, readOperators } from '#query/parse-query';
import type { TermScores } from '#search/relevance';
import type { SearchQuery } from '#search/search-query';

const sparse = createSparseEncoder();

function queryOf(text: string, more: Partial<SearchQuery> = {}): SearchQuery {
  return {
    team: 'team_1',
    collections: [{ id: 'col_1', name: 'C', embeddingModel: 'model' }],
    principals: undefined,
    query: analyzeOperators(readOperators(text), ['en']),
    filter: undefined,
    facetFilters: new Map(),
    mode: 'hybrid',
    offset: 0,
    limit: 10,
    minScore: undefined,
    passagesPerDocument: 3,
    ...more,
  };
}

/** A store whose only document has a title. */
function setUp(title: string) {
  const state = { title };
  const wordsWithin = jest.fn<VectorStore['wordsWithin']>(async (_model, { words }) => {
    const { terms } = analyzeOperators(readOperators(state.title), ['en']).analyzed;
    const known = new Set(terms.map(({ term }) => wordId(term)));
    return new Set(words.filter((word) => known.has(word)));
  });
  const search = async () => {
    const hit = { document: 'doc_1', score: 1, scores: {}, passages: [], payload: { title: state.title } };
    return { hits: [hit as unknown as DocumentHit], ranking: [], total: 1, totalIsExact: true };
  };
  const store = { wordsWithin, search } as unknown as VectorStore;
  const log = createLogger({ service: 'search', level: 'silent' });
  const warn = jest.spyOn(log, 'warn');
  const correct = async (
    query: SearchQuery,
    signal = new AbortController().signal,
    termScores: readonly TermScores[] = [],
  ) => {
    const corrected = await correctSpelling({ store, sparse, log }, query, termScores, signal);
    return corrected?.query.query.analyzed.terms.map(({ term }) => term);
  };
  return { state, wordsWithin, warn, correct };
}

describe('correctSpelling', () => {
  it('adds the words that an unknown word may be a misspelling of', async () => {
    const { correct } = setUp('Vaccination');
    expect(await correct(queryOf('vacination'))).toEqual(expect.arrayContaining(['vacin', 'vaccin']));
    expect(await correct(queryOf('vaccination'))).toBeUndefined();
  });

  it('corrects a word as soon as no document contains it any more', async () => {
    const { state, correct } = setUp('Leave');
    expect(await correct(queryOf('leave'))).toBeUndefined();
    state.title = 'Leafe';
    expect(await correct(queryOf('leave'))).toContain('leaf');
  });

  it('logs a failure and leaves the query as it is', async () => {
    const { wordsWithin, warn, correct } = setUp('Vaccination');
    wordsWithin.mockRejectedValue(new Error('broken'));
    expect(await correct(queryOf('vacination'))).toBeUndefined();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('throws the reason of an abort', async () => {
    const { wordsWithin, warn, correct } = setUp('Vaccination');
    wordsWithin.mockRejectedValue(new Error('broken'));
    await expect(correct(queryOf('vacination'), AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    expect(warn).not.toHaveBeenCalled();
  });

  it('limits the principals and collections in all lookups together', async () => {
    const { wordsWithin, correct } = setUp('Vaccination');
    const principals = Array.from({ length: 30_000 }, (_, at) => `group:${at}`);
    await correct(queryOf('vacination guidlines holliday summmer', { principals }));
    const [, request] = wordsWithin.mock.calls[0]!;
    expect(request.words).toHaveLength(3);
    await correct(queryOf('vacination', { principals: [...principals, ...principals, ...principals, ...principals] }));
    expect(wordsWithin).toHaveBeenCalledTimes(1);
  });

  it('looks up only the terms that the search did not', async () => {
    const { wordsWithin, correct } = setUp('Vaccination');
    const { signal } = new AbortController();
    const scores = (terms: Record<string, number>) =>
      new Map(Object.entries(terms).map(([term, score]) => [wordId(term), score]));
    const corrected = ['vacin', 'vaccin'];
    expect(await correct(queryOf('vacination'), signal, [scores({ vacin: 0 })])).toEqual(corrected);
    expect(await correct(queryOf('vacination'), signal, [scores({ vacin: 1 })])).toBeUndefined();
    expect(wordsWithin).not.toHaveBeenCalled();
    expect(await correct(queryOf('vacination'), signal, [new Map()])).toEqual(corrected);
    expect(wordsWithin).toHaveBeenCalledTimes(1);
  });

  it('looks up the terms that the search of one model did not', async () => {
    const { wordsWithin, correct } = setUp('Vaccination');
    const { signal } = new AbortController();
    const collections = ['a', 'b'].map((id) => ({ id, name: id, embeddingModel: id }));
    const unknown = new Map([[wordId('vacin'), 0]]);
    expect(await correct(queryOf('vacination', { collections }), signal, [unknown, new Map()])).toBeDefined();
    expect(wordsWithin).toHaveBeenCalledTimes(2);
    expect(
      await correct(queryOf('vacination', { collections }), signal, [unknown, new Map([[wordId('vacin'), 3]])]),
    ).toBeUndefined();
    expect(wordsWithin).toHaveBeenCalledTimes(2);
  });

  it('does not look up a word of more than 64 letters', async () => {
    const { wordsWithin, correct } = setUp('Vaccination');
    expect(await correct(queryOf('v'.repeat(65)))).toBeUndefined();
    expect(wordsWithin).not.toHaveBeenCalled();
  });
});
