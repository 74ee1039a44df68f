import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CollectionServiceDefinition,
  type SearchDocsSiteRequest,
  SearchMode,
  type SearchRequest,
  SearchServiceDefinition,
} from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller, runCount, waitUntil } from '@lectern/testing';
import fc from 'fast-check';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';

const WORDS = ['mortgage', 'lender', 'deposit', 'credit', 'wheat', 'tractor', 'harvest', 'barn', 'zeppelin', 'v1.2.3'];
const MODES = [SearchMode.HYBRID, SearchMode.KEYWORD, SearchMode.SEMANTIC];
const FACETS = ['source', 'type', 'collection', 'metadata.topic', 'metadata.size', 'updatedAt'];

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const text = fc.array(oneOf(WORDS), { minLength: 1, maxLength: 12 }).map((words) => `${words.join(' ')}.`);
const document = fc.record({
  title: fc.array(oneOf(WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  content: text,
  metadata: fc.record({ topic: oneOf(['a', 'b']), size: fc.integer({ min: 0, max: 9 }) }),
});
const query = fc.oneof(
  fc.array(oneOf(WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
  // Misspelled, as a prefix, as a phrase, and with an exclusion.
  oneOf(WORDS).map((word) => `${word.slice(0, 2)}${word.slice(3)}`),
  oneOf(WORDS).map((word) => word.slice(0, 3)),
  fc.tuple(oneOf(WORDS), oneOf(WORDS)).map(([one, other]) => `"${one} ${other}"`),
  fc.tuple(oneOf(WORDS), oneOf(WORDS)).map(([one, other]) => `${one} -${other}`),
);

let catalog: TestCatalog;
let app: Awaited<ReturnType<typeof startSearch>>;
let connections: GrpcConnection[];
let client: GrpcClient<typeof SearchServiceDefinition>;

beforeAll(async () => {
  catalog = await startCatalog({
    SPACE_MIN_PASSAGES: '40',
    SPACE_INTERVAL_MS: '50',
    SPACE_SETTLE_MS: '200',
  });
  app = await startSearch(readConfig({ ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
  connections = [connectGrpc(`127.0.0.1:${app.port}`), connectGrpc(catalog.env.COLLECTION_ADDRESS!)];
  client = connections[0]!.client(SearchServiceDefinition);
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await app.stop();
  await catalog.stop();
});

/** Returns the responses of all endpoints to a query of a caller, except the time that they took. */
async function responsesTo(query: string, caller: Caller): Promise<string> {
  const call = callAs(caller);
  const requests = MODES.flatMap((mode): Partial<SearchRequest>[] => [
    { query, mode },
    { query, mode, minScore: 0.2 },
  ]);
  const responses = await Promise.all([
    ...requests.map((request) => client.search(request, call)),
    ...MODES.map((mode) => client.searchFaceted({ search: { query, mode }, facets: FACETS }, call)),
    client.searchDocsSite({ query } satisfies Partial<SearchDocsSiteRequest>, call),
  ]);
  return JSON.stringify(responses, (name, value) => (name === 'tookMs' ? undefined : value));
}

describe('the response to a search', () => {
  it('does not depend on content that the caller cannot read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 2, maxLength: 6 }),
        fc.array(document, { minLength: 1, maxLength: 4 }),
        fc.array(query, { minLength: 3, maxLength: 5 }),
        async (own, hidden, queries) => {
          const team = createCaller();
          const handbook = await catalog.addCollection(team, 'Handbook');
          await catalog.addDocuments(team, handbook, own);
          const callers: Caller[] = [
            { ...team, userEmail: 'bob@example.com' },
            { ...team, scope: { kind: 'only', ids: [handbook] } },
          ];
          const searchAll = () =>
            Promise.all(callers.flatMap((one) => queries.map((query) => responsesTo(query, one))));
          const before = await searchAll();

          const others = createCaller();
          const otherCollection = await catalog.addCollection(others, 'Other');
          const secret = await catalog.addCollection(team, 'Secret');
          const principals = ['user:ada@example.com'];
          await catalog.addDocuments(others, otherCollection, hidden);
          await catalog.addDocuments(
            team,
            secret,
            hidden.map((one) => ({ ...one, principals })),
          );
          const [all, scoped] = [before.slice(0, queries.length), before.slice(queries.length)];
          const after = await searchAll();
          expect(after.slice(0, queries.length)).toEqual(all);
          expect(after.slice(queries.length)).toEqual(scoped);

          // Documents in the same collection, for another user.
          await catalog.addDocuments(
            team,
            handbook,
            hidden.map((one) => ({ ...one, principals })),
          );
          expect((await searchAll()).slice(0, queries.length)).toEqual(all);
        },
      ),
      { numRuns: runCount({ quick: 2, full: 5 }), seed: 7 },
    );
  }, 120_000);

  it('does not reveal the words of other documents by meaning, even if a space was learned from them', async () => {
    const team = createCaller();
    const collections = connections[1]!.client(CollectionServiceDefinition);
    const handbook = await catalog.addCollection(team, 'Handbook');
    const topics = [WORDS.slice(0, 4), WORDS.slice(4, 8)];
    const contentOf = (at: number, more = '') => {
      const words = topics[at % 2]!;
      return `${more} ${words.map((_word, i) => words[(at * (i + 1)) % words.length]).join(' ')} number${at}`;
    };
    const open = Array.from({ length: 30 }, (_, at) => ({ title: `T${at}`, content: contentOf(at) }));
    const principals = ['user:ada@example.com'];
    const secret = (from: number, length: number) =>
      Array.from({ length }, (_, at) => ({ title: 'S', content: contentOf(from + at, 'zeppelin'), principals }));
    await catalog.addDocuments(team, handbook, [...open, ...secret(0, 20)]);
    await waitUntil(
      async () => {
        const { spaces } = await collections.resolveCollections({ ids: [] }, callAs(team));
        const ids = spaces[0]?.ids ?? [];
        return ids.length === 1 && ids[0] !== 'base';
      },
      { what: 'the corpus to be in a learned space', timeoutMs: 25_000 },
    );

    const bob: Caller = { ...team, userEmail: 'bob@example.com' };
    const semantic = (query: string, as: Caller) =>
      client.search({ query, mode: SearchMode.SEMANTIC, page: { page: 1, limit: 100 } }, callAs(as));
    const scoresOf = async (query: string, as: Caller) =>
      (await semantic(query, as)).results.map(({ documentId, score }) => [documentId, score]);
    // The space contains the word, for callers who can read it.
    expect((await semantic('zeppelin', { ...team, userEmail: 'ada@example.com' })).results[0]!.score).toBeGreaterThan(
      0.3,
    );
    expect(await scoresOf('zeppelin', bob)).toEqual(await scoresOf('zappolon', bob));
    expect(await scoresOf('wheat zeppelin', bob)).toEqual(await scoresOf('wheat zappolon', bob));
    expect((await semantic('wheat', bob)).results[0]!.score).toBeGreaterThan(0.3);

    const queries = ['wheat', 'zeppelin', 'mortgage lender', 'zeppelin wheat', 'harv'];
    const before = await Promise.all(queries.map((query) => responsesTo(query, bob)));
    await catalog.addDocuments(team, handbook, secret(20, 10));
    expect(await Promise.all(queries.map((query) => responsesTo(query, bob)))).toEqual(before);
  }, 60_000);
});
