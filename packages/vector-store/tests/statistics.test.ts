import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Passage, Scope, SearchRequest, VectorStore } from '#index';
import { buildPassage, direction, terms } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

const WORDS = ['holiday', 'salary', 'laptop', 'leave', 'parent', 'policy', 'travel', 'password'];
const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((list) => list.join(' '));
const passage = fc.record({ text: words, degrees: fc.integer({ min: 0, max: 90 }) });

/**
 * The ways in which passages can be hidden from a caller of `SCOPE`: in another team, in another
 * collection, for other principals.
 */
const hidden = fc.record({
  text: words,
  degrees: fc.integer({ min: 0, max: 90 }),
  where: fc.constantFrom<Partial<Passage>>(
    { team: 'team_b' },
    { collection: 'col_2' },
    { principals: ['user:ada@example.com'] },
    { principals: [] },
  ),
});

const SCOPE: Scope = { team: 'team_a', collections: ['col_1'], principals: ['public', 'user:bob@example.com'] };
const PAGE = { limit: 50, offset: 0, passagesPerDocument: 3, candidates: 100 };

describe('the scores of a search', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  let store: VectorStore;
  beforeAll(async () => {
    context = await startTestStore();
    store = context.store;
  });
  afterAll(() => context.close());

  it('are identical for any content of passages that the caller cannot read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(passage, { minLength: 1, maxLength: 8 }),
        fc.array(hidden, { minLength: 1, maxLength: 80 }),
        words,
        fc.integer({ min: 0, max: 90 }),
        async (own, others, query, degrees) => {
          const model = `run_${crypto.randomUUID()}`;
          await store.ensureModel({ model, dimensions: 4 });
          const build = ({ text, degrees }: { text: string; degrees: number }, more: Partial<Passage>) =>
            buildPassage({ text, sparse: terms(text), dense: direction(degrees), ...more });
          await store.upsertPassages(
            model,
            own.map((one, at) => build(one, { document: `doc_${at}` })),
          );
          const searches: SearchRequest[] = [
            { ...SCOPE, ...PAGE, mode: 'keyword', sparse: terms(query) },
            { ...SCOPE, ...PAGE, mode: 'semantic', dense: direction(degrees) },
            { ...SCOPE, ...PAGE, mode: 'hybrid', sparse: terms(query), dense: direction(degrees) },
          ];
          const ask = async () => JSON.stringify(await Promise.all(searches.map((one) => store.search(model, one))));
          const before = await ask();
          await store.upsertPassages(
            model,
            others.map((one, at) => build(one, { document: `hidden_${at}`, ...one.where })),
          );
          expect(await ask()).toBe(before);
          await store.dropModel(model);
        },
      ),
      { numRuns: 40, seed: 11 },
    );
  });

  it('do not depend on request filters', async () => {
    await store.upsertPassages('test', [
      buildPassage({ document: 'doc_a', text: 'holiday', source: 'github' }),
      buildPassage({ document: 'doc_b', text: 'holiday salary' }),
    ]);
    const request: SearchRequest = { ...SCOPE, ...PAGE, mode: 'keyword', sparse: terms('holiday salary') };
    const scoreOfB = async (more: Partial<SearchRequest>) => {
      const { hits } = await store.search('test', { ...request, ...more } as SearchRequest);
      return hits.find(({ document }) => document === 'doc_b')?.score;
    };
    const filter = { field: 'source', op: 'ne', value: 'github' } as const;
    expect(await scoreOfB({ filter })).toBe(await scoreOfB({}));
  });
});
