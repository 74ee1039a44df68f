import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SearchMode, type SearchRequest, SearchServiceDefinition } from '@lectern/contracts';
import { connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller, type ProviderServer, startEmbeddingsServer } from '@lectern/testing';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';

const CONCEPTS = [
  ['vacation', 'holiday', 'leisure'],
  ['laptop', 'computer', 'notebook'],
  ['salary', 'wages', 'remuneration'],
  ['physician', 'doctor', 'medic'],
];
/** Each query paraphrases one document; the others share its small words. */
const QUESTIONS = [
  { query: 'how much holiday does a person have', title: 'Time off' },
  { query: 'is the computer encrypted', title: 'Devices' },
  { query: 'when are the wages paid', title: 'Pay' },
  { query: 'which doctor may a person see', title: 'Health' },
];
const DOCUMENTS = [
  { title: 'Time off', content: 'Thirty days of vacation are granted each year.' },
  { title: 'Devices', content: 'Every laptop runs with its disk locked.' },
  { title: 'Pay', content: 'Your salary arrives on the last Friday of a month.' },
  { title: 'Health', content: 'Our physician visits on Tuesdays.' },
  { title: 'Persons', content: 'A person who may see much does not have how.' },
  { title: 'Invoices', content: 'When invoices are paid, the encrypted archive is kept.' },
];

const caller = createCaller();
let provider: ProviderServer;
let catalog: TestCatalog;
let app: Awaited<ReturnType<typeof startSearch>>;
let connection: GrpcConnection;
let client: GrpcClient<typeof SearchServiceDefinition>;
let plain: string;
let meaningful: string;

const search = (request: Partial<SearchRequest>) => client.search({ query: 'x', ...request }, callAs(caller));

/** Returns the mean of 1 / rank of the right document (MRR). */
async function meanReciprocalRank(collection: string, mode: SearchMode): Promise<number> {
  let sum = 0;
  for (const { query, title } of QUESTIONS) {
    const { results } = await search({ query, mode, collectionIds: [collection] });
    const at = results.findIndex((result) => result.title === title);
    sum += at < 0 ? 0 : 1 / (at + 1);
  }
  return sum / QUESTIONS.length;
}

beforeAll(async () => {
  provider = await startEmbeddingsServer({
    form: 'openai',
    model: 'small',
    apiKey: 'sk-1',
    maxTexts: 32,
    concepts: CONCEPTS,
    dimensions: 256,
  });
  catalog = await startCatalog({
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_MODEL: 'small',
    EMBEDDING_API_KEY: 'sk-1',
    EMBEDDING_BASE_URL: `${provider.origin}/v1`,
  });
  app = await startSearch(readConfig({ ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
  connection = connectGrpc(`127.0.0.1:${app.port}`);
  client = connection.client(SearchServiceDefinition);
  plain = await catalog.addCollection(caller, 'Plain', 'builtin-hash-512');
  meaningful = await catalog.addCollection(caller, 'Meaningful');
  await catalog.addDocuments(caller, plain, DOCUMENTS);
  await catalog.addDocuments(caller, meaningful, DOCUMENTS);
});

afterAll(async () => {
  connection.close();
  await app.stop();
  await catalog.stop();
  await provider.stop();
});

beforeEach(() => provider.reset());

describe('a better embedding', () => {
  it.each([SearchMode.SEMANTIC, SearchMode.HYBRID])('ranks better in mode %s', async (mode) => {
    const before = await meanReciprocalRank(plain, mode);
    expect(await meanReciprocalRank(meaningful, mode)).toBeGreaterThan(before + 0.1);
  });

  it('finds documents that share no word with the query in mode semantic', async () => {
    expect(await meanReciprocalRank(meaningful, SearchMode.SEMANTIC)).toBe(1);
  });
});

describe('collections of different models', () => {
  it('are searched together, each by its own model, in one ranking', async () => {
    const { results, page } = await search({ query: 'holiday of a year', mode: SearchMode.HYBRID });
    expect(new Set(results.map(({ collectionId }) => collectionId))).toEqual(new Set([plain, meaningful]));
    expect(results.slice(0, 2).map(({ title }) => title)).toEqual(['Time off', 'Time off']);
    expect(page?.total).toBe(results.length);
    const scores = results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  });
});

describe('a provider that fails during a search', () => {
  beforeEach(() => provider.reset(() => ({ kind: 'status', status: 400 })));

  it('limits a hybrid search to keywords', async () => {
    const { results } = await search({ query: 'vacation days granted', collectionIds: [meaningful] });
    expect(results[0]?.title).toBe('Time off');
    expect(provider.requests.length).toBeGreaterThan(0);
  });

  it('fails a semantic search with an error without its address', async () => {
    const request = { query: 'days of leisure', mode: SearchMode.SEMANTIC, collectionIds: [meaningful] };
    await expect(search(request)).rejects.toMatchObject({
      code: 'upstream_error',
      message: 'The embedding provider rejected the request (HTTP 400).',
    });
  });
});
