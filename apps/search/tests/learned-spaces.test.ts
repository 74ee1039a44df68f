import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CollectionServiceDefinition, SearchMode, SearchServiceDefinition } from '@lectern/contracts';
import { connectGrpc, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';
import { contentOf, DOCUMENTS } from './two-subjects.ts';

const caller = createCaller();
let catalog: TestCatalog;
let app: Awaited<ReturnType<typeof startSearch>>;
let connections: GrpcConnection[];

beforeAll(async () => {
  catalog = await startCatalog({ SPACE_MIN_PASSAGES: '20', SPACE_INTERVAL_MS: '50', SPACE_SETTLE_MS: '200' });
  app = await startSearch(readConfig({ ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
  connections = [connectGrpc(`127.0.0.1:${app.port}`), connectGrpc(catalog.env.COLLECTION_ADDRESS!)];
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await app.stop();
  await catalog.stop();
});

describe('a search while a space is learned from the corpus', () => {
  it('finds every document at all times, and finally documents with related words', async () => {
    const search = connections[0]!.client(SearchServiceDefinition);
    const collections = connections[1]!.client(CollectionServiceDefinition);
    const collection = await catalog.addCollection(caller, 'Texts');
    const documents = Array.from({ length: DOCUMENTS }, (_, at) => ({ title: `T${at}`, content: contentOf(at) }));
    await catalog.addDocuments(caller, collection, documents.slice(0, DOCUMENTS / 2));
    const adding = catalog.addDocuments(caller, collection, documents.slice(DOCUMENTS / 2));

    const page = { page: 1, limit: 100 };
    const find = (query: string, mode: SearchMode) => search.search({ query, mode, page }, callAs(caller));
    const spaces = async () => {
      const resolved = await collections.resolveCollections({ ids: [] }, callAs(caller));
      return resolved.spaces[0]?.ids ?? [];
    };
    let minResults = DOCUMENTS;
    await waitUntil(
      async () => {
        const { results } = await find('mortgage lender wheat', SearchMode.HYBRID);
        minResults = Math.min(minResults, results.length);
        const [space, ...others] = await spaces();
        return space !== undefined && space !== 'base' && others.length === 0;
      },
      { what: 'the corpus to be in a learned space', timeoutMs: 25_000 },
    );
    await adding;
    // Without a learned space only documents with the same words match.
    expect(minResults).toBeGreaterThanOrEqual(DOCUMENTS / 4);

    const { results } = await find('mortgage', SearchMode.SEMANTIC);
    expect(results).toHaveLength(DOCUMENTS / 2);
    const isAboutBanks = results.map(({ title }) => Number(title.slice(1)) % 2 === 0);
    expect(isAboutBanks.every(Boolean)).toBe(true);
    const hybrid = await find('mortgage', SearchMode.HYBRID);
    expect(hybrid.results[0]).toMatchObject({
      score: expect.closeTo(1, 1),
      excerpt: expect.stringContaining('mortgage'),
    });
  }, 60_000);
});
