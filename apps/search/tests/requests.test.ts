import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CollectionServiceDefinition,
  SearchMode,
  type SearchRequest,
  SearchServiceDefinition,
} from '@lectern/contracts';
import { connectGrpc, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller, type QdrantRecorder, recordQdrant, waitUntil } from '@lectern/testing';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';
import { contentOf, DOCUMENTS } from './two-subjects.ts';

interface Search {
  readonly query?: unknown;
  readonly with_payload?: unknown;
}

const caller = createCaller();
let catalog: TestCatalog;
let recorder: QdrantRecorder;
let app: Awaited<ReturnType<typeof startSearch>>;
let connections: GrpcConnection[];

beforeAll(async () => {
  catalog = await startCatalog({ SPACE_MIN_PASSAGES: '20', SPACE_INTERVAL_MS: '50', SPACE_SETTLE_MS: '200' });
  recorder = await recordQdrant(catalog.env.QDRANT_URL!);
  const env = { ...catalog.env, QDRANT_URL: recorder.url };
  app = await startSearch(readConfig({ ...env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
  connections = [connectGrpc(`127.0.0.1:${app.port}`), connectGrpc(catalog.env.COLLECTION_ADDRESS!)];
  const collections = connections[1]!.client(CollectionServiceDefinition);
  const collection = await catalog.addCollection(caller, 'Texts');
  const documents = Array.from({ length: DOCUMENTS }, (_, at) => ({ title: `T${at}`, content: contentOf(at) }));
  await catalog.addDocuments(caller, collection, documents);
  await waitUntil(
    async () => {
      const { spaces } = await collections.resolveCollections({ ids: [] }, callAs(caller));
      const [space, ...others] = spaces[0]?.ids ?? [];
      return space !== undefined && space !== 'base' && others.length === 0;
    },
    { what: 'the corpus to be in a learned space', timeoutMs: 25_000 },
  );
}, 60_000);
afterAll(async () => {
  for (const connection of connections) connection.close();
  await app.stop();
  recorder.stop();
  await catalog.stop();
});

const ATTEMPTS = 5;
const HYBRID = { mode: SearchMode.HYBRID };

describe('the requests of a search', () => {
  it.each<[string, Partial<SearchRequest>]>([
    ['of words and meaning', { ...HYBRID, query: 'lender wheat' }],
    ['of words', { mode: SearchMode.KEYWORD, query: 'tractor' }],
    ['of meaning', { mode: SearchMode.SEMANTIC, query: 'mortgage' }],
    ['with a filter', { ...HYBRID, query: 'deposit harvest', filters: { type: { $ne: 'pdf' } } }],
    ['with a lowest relevance', { ...HYBRID, query: 'cattle', minScore: 0.2 }],
    ['of a later page', { ...HYBRID, query: 'lender wheat', page: { page: 2, limit: 5 } }],
    ['with a word that occurs nowhere, which has no similar ones', { ...HYBRID, query: 'deposit 12345678' }],
  ])('%s are two, one after the other, and only the second reads payloads', async (_name, fields) => {
    const search = connections[0]!.client(SearchServiceDefinition);
    const request = { page: { page: 1, limit: 5 }, ...fields };
    // Opens the connections.
    await search.search(request, callAs(caller));
    const { requests } = recorder;
    const rounds = () => Math.max(...requests.map(({ round }) => round));
    // On a busy machine, a request can start after the others of its round have ended.
    for (let attempt = 0; attempt < ATTEMPTS && (attempt === 0 || rounds() > 2); attempt += 1) {
      requests.length = 0;
      const { results } = await search.search(request, callAs(caller));
      expect(results.length).toBeGreaterThan(0);
    }
    expect(rounds()).toBe(2);
    const searches = requests.flatMap(({ body, round }) =>
      ((body as { searches?: Search[] }).searches ?? []).map((one) => ({ ...one, round })),
    );
    const reading = searches.filter(({ with_payload }) => with_payload !== false);
    expect(searches.filter(({ round }) => round === 1).length).toBeGreaterThan(0);
    expect(reading.length).toBeGreaterThan(0);
    for (const { round, query } of reading) expect({ round, query }).toEqual({ round: 2, query: undefined });
    for (const { headers } of requests) expect(headers['accept-encoding']).toBe('identity');
  });
});
