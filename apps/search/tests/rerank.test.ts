import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type SearchRequest, SearchServiceDefinition } from '@lectern/contracts';
import { connectGrpc } from '@lectern/service-kit';
import {
  callAs,
  createCaller,
  type Fault,
  hasModelRuntime,
  linkModelRuntime,
  NO_MODEL_RUNTIME,
  type ProviderServer,
  type RerankForm,
  startRerankServer,
  temporaryFolder,
  writeGeneratedModel,
} from '@lectern/testing';
import { describeIf } from '@lectern/testing/skip';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';

const PATHS = { cohere: '/v2/rerank', jina: '/v1/rerank', tei: '/rerank', voyage: '/v1/rerank' } as const;
const FORMS = Object.keys(PATHS) as RerankForm[];
const concepts = [['holiday', 'vacation']];

/** Starts a search service with its own reranker. */
async function startReranking(catalog: TestCatalog, form: RerankForm, timeoutMs = 10_000) {
  const reranker = await startRerankServer({ form, apiKey: 'key', concepts });
  const config = readConfig({
    ...catalog.env,
    GRPC_ADDRESS: '127.0.0.1:0',
    LOG_LEVEL: 'silent',
    RERANK_URL: `${reranker.origin}${PATHS[form]}`,
    RERANK_API_KEY: 'key',
    RERANK_TIMEOUT_MS: String(timeoutMs),
    // Voyage's address looks like Jina's.
    ...(form === 'voyage' ? { RERANK_STYLE: 'voyage' } : {}),
    ...(form === 'tei' ? {} : { RERANK_MODEL: 'rerank-1' }),
  });
  const app = await startSearch(config);
  const connection = connectGrpc(`127.0.0.1:${app.port}`);
  const client = connection.client(SearchServiceDefinition);
  return {
    reranker,
    search: (request: Partial<SearchRequest>) => client.search({ query: 'holiday', ...request }, callAs(caller)),
    stop: async () => {
      connection.close();
      await app.stop();
      await reranker.stop();
    },
  };
}

const caller = createCaller();
let catalog: TestCatalog;
let few: string;
let many: string;

const titlesOf = ({ results }: { results: { title: string }[] }) => results.map(({ title }) => title);

beforeAll(async () => {
  catalog = await startCatalog();
  few = await catalog.addCollection(caller, 'Few');
  await catalog.addDocuments(caller, few, [
    { title: 'Decoration', content: 'The holiday tree in the lobby has lights.' },
    { title: 'Allowance', content: 'An allowance of thirty days of vacation each year.' },
  ]);
  many = await catalog.addCollection(caller, 'Many');
  const documents = Array.from({ length: 64 }, (_, at) => ({
    title: `Note ${at}`,
    content: `${'holiday '.repeat((at % 5) + 1)} on day ${at}${at % 3 === 0 ? ', vacation plan' : ''}.`,
  }));
  await catalog.addDocuments(caller, many, documents);
});

afterAll(() => catalog.stop());

describe.each(FORMS)('a reranker with the %s API', (form) => {
  it('ranks the answer to the query first and returns its scores', async () => {
    const { search, reranker, stop } = await startReranking(catalog, form);
    try {
      const request = { query: 'holiday allowance days year', collectionIds: [few] };
      const { results } = await search(request);
      expect(results[0]).toMatchObject({ title: 'Allowance', scores: { rerank: expect.any(Number) } });
      expect(reranker.requests).toHaveLength(1);
      const scores = results.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    } finally {
      await stop();
    }
  });
});

describe('a search with a reranker', () => {
  let service: Awaited<ReturnType<typeof startReranking>>;
  let reranker: ProviderServer;

  beforeAll(async () => {
    service = await startReranking(catalog, 'jina', 2_000);
    reranker = service.reranker;
  });
  afterAll(() => service.stop());

  it('is not called if the request turns it off', async () => {
    reranker.reset();
    const { results } = await service.search({ collectionIds: [few], rerank: false });
    expect(results[0]).toMatchObject({ title: 'Decoration', scores: { rerank: undefined } });
    expect(reranker.requests).toHaveLength(0);
  });

  it('returns every document once over all pages, beyond the reranked ones', async () => {
    reranker.reset();
    const query = { query: 'vacation holiday', collectionIds: [many] };
    const whole = await service.search({ ...query, page: { page: 1, limit: 100 } });
    expect(new Set(titlesOf(whole)).size).toBe(64);
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((page) => service.search({ ...query, page: { page, limit: 15 } })),
    );
    expect(pages.flatMap(titlesOf)).toEqual(titlesOf(whole));
    expect(pages.map(({ page }) => page?.total)).toEqual([64, 64, 64, 64, 64]);
    expect(pages.map(({ page }) => page?.hasMore)).toEqual([true, true, true, true, false]);
    const scores = whole.results.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(reranker.requests.every(({ body }) => (body.documents as string[]).length <= 100)).toBe(true);
  });

  it.each(['vacatoin planns', 'which "vacation plan" is the one on the first day'])(
    'is called once for %s, also for a page that extends beyond the window',
    async (query) => {
      reranker.reset();
      const request = { query, collectionIds: [many], page: { page: 1, limit: 60 } };
      const { results } = await service.search(request);
      expect(reranker.requests).toHaveLength(1);
      const plain = await service.search({ ...request, rerank: false });
      expect(new Set(titlesOf({ results }))).toEqual(new Set(titlesOf(plain)));
      expect(titlesOf({ results }).slice(50)).toEqual(titlesOf(plain).slice(50));
      expect(reranker.requests).toHaveLength(1);
    },
  );

  it.each<[string, Fault]>([
    ['fails', { kind: 'status', status: 500 }],
    ['rejects the request', { kind: 'status', status: 422 }],
    ['limits the request rate', { kind: 'status', status: 429, retryAfter: '30' }],
    ['does not respond in time', { kind: 'silence' }],
    ['truncates its response', { kind: 'truncated' }],
    ['omits a passage', { kind: 'one_missing' }],
    ['returns values that are not scores', { kind: 'not_a_number' }],
  ])('keeps the original order if the reranker %s', async (_, fault) => {
    reranker.reset(() => fault);
    const request = { query: 'holiday allowance', collectionIds: [few] };
    const plain = await service.search({ ...request, rerank: false });
    const { results, page } = await service.search(request);
    expect(reranker.requests.length).toBeGreaterThan(0);
    expect(results.map(({ documentId, score }) => [documentId, score])).toEqual(
      plain.results.map(({ documentId, score }) => [documentId, score]),
    );
    expect(page).toEqual(plain.page);
  });

  it('does not start with invalid settings', () => {
    const settings = { ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', RERANK_URL: 'https://api.example.com/v1/rerank' };
    return expect(startSearch(readConfig(settings))).rejects.toThrow(
      'RERANK_MODEL: is required with RERANK_STYLE=jina',
    );
  });
});

describeIf(hasModelRuntime, NO_MODEL_RUNTIME)('a reranker in the process of the service', () => {
  it('reorders the first documents, and leaves the others in their place', async () => {
    const home = await temporaryFolder();
    await linkModelRuntime(home.path);
    const words = ['holiday', 'vacation', 'plan', 'day', 'on', ...Array.from({ length: 64 }, (_, at) => `${at}`)];
    const shape = { words, layers: 1, dimensions: 64, heads: 4 };
    await writeGeneratedModel(join(home.path, 'acme/rerank'), { ...shape, head: 'pair' });
    const config = readConfig({
      ...catalog.env,
      GRPC_ADDRESS: '127.0.0.1:0',
      LOG_LEVEL: 'silent',
      MODELS_DIR: home.path,
      RERANK_PROVIDER: 'onnx',
      RERANK_MODEL: 'acme/rerank',
      RERANK_TIMEOUT_MS: '30000',
    });
    const app = await startSearch(config);
    const connection = connectGrpc(`127.0.0.1:${app.port}`);
    const { search } = connection.client(SearchServiceDefinition);
    try {
      const request = { query: 'holiday vacation plan', collectionIds: [many], limit: 30 };
      const plain = await search({ ...request, rerank: false }, callAs(caller));
      const { results } = await search(request, callAs(caller));
      const scores = results.map((result) => result.scores?.rerank);
      expect(scores.filter((score) => score !== undefined)).toHaveLength(10);
      expect(scores.slice(0, 10)).toEqual(scores.slice(0, 10).toSorted((a, b) => (b ?? 0) - (a ?? 0)));
      expect(titlesOf({ results }).slice(10)).toEqual(titlesOf(plain).slice(10));
      expect(titlesOf({ results }).toSorted()).toEqual(titlesOf(plain).toSorted());
      expect(results.map(({ score }) => score)).toEqual(plain.results.map(({ score }) => score));
    } finally {
      connection.close();
      await app.stop();
      await home.remove();
    }
  });
});
