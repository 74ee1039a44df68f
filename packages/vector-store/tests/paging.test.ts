import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildPassage, direction, terms } from './build-passage.ts';
import { startTestStore } from './start-test-store.ts';

const DOCUMENTS = 45;

describe('pages of a search', () => {
  let context: Awaited<ReturnType<typeof startTestStore>>;
  beforeAll(async () => {
    context = await startTestStore();
    const passages = Array.from({ length: DOCUMENTS }, (_, at) =>
      [0, 1, 2, 3].map((chunk) =>
        buildPassage({
          document: `doc_${at}`,
          chunk,
          // Few distinct scores, so that most documents are tied.
          text: at % 3 === 0 ? 'holiday policy' : 'policy',
          dense: direction((at % 5) * 10),
        }),
      ),
    );
    await context.store.upsertPassages('test', passages.flat());
  });
  afterAll(() => context.close());

  it.each(['keyword', 'semantic', 'hybrid'] as const)('show each document once in mode %s', async (mode) => {
    const seen: string[] = [];
    for (let offset = 0; offset < DOCUMENTS + 10; offset += 10) {
      const request = { team: 'team_a', limit: 10, offset, passagesPerDocument: 2, candidates: 500 };
      const vectors = { sparse: terms('holiday policy'), dense: direction(0) };
      const { hits, total } = await context.store.search('test', { ...request, ...vectors, mode });
      expect(total).toBe(DOCUMENTS);
      expect(hits.every(({ passages }) => passages.length === 2)).toBe(true);
      seen.push(...hits.map(({ document }) => document));
    }
    expect(seen).toHaveLength(DOCUMENTS);
    expect(new Set(seen).size).toBe(DOCUMENTS);
  });
});
