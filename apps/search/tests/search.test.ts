import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SearchMode, type SearchRequest, SearchServiceDefinition } from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller, type TestQdrant, testQdrant } from '@lectern/testing';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalogue, type TestCatalogue } from './catalogue.ts';

const HANDBOOK = 'col_handbook';
const NOTES = 'col_notes';

const caller = createCaller();
let qdrant: TestQdrant;
let catalogue: TestCatalogue;
let app: Awaited<ReturnType<typeof startSearch>>;
let connection: GrpcConnection;
let client: GrpcClient<typeof SearchServiceDefinition>;

const search = (request: Partial<SearchRequest>, as: Caller = caller) =>
  client.search({ query: 'x', ...request }, callAs(as));
const idsOf = ({ results }: { results: { documentId: string }[] }) => results.map(({ documentId }) => documentId);

beforeAll(async () => {
  qdrant = await testQdrant();
  catalogue = await startCatalogue(qdrant.url, caller.teamId);
  app = await startSearch(
    readConfig({
      GRPC_ADDRESS: '127.0.0.1:0',
      COLLECTION_ADDRESS: catalogue.address,
      QDRANT_URL: qdrant.url,
      LOG_LEVEL: 'silent',
    }),
  );
  connection = connectGrpc(`127.0.0.1:${app.port}`);
  client = connection.client(SearchServiceDefinition);
  await catalogue.add(HANDBOOK, 'doc_leave', 'Leave', [
    'Parental leave is sixteen weeks of paid time off for every new parent.',
    'Sick leave is unlimited. Tell your manager when you are ill.',
  ]);
  await catalogue.add(HANDBOOK, 'doc_devices', 'Devices', [
    'Encrypt the disk of your laptop and use the password manager for every account.',
  ]);
  await catalogue.add(NOTES, 'doc_notes', 'Notes', ['The parental leave of Ada begins in March.']);
  await catalogue.add(HANDBOOK, 'doc_private', 'Salaries', ['The salary bands of engineers are private.'], {
    principals: ['user:ada@example.com'],
  });
});

afterAll(async () => {
  connection.close();
  await app.stop();
  await catalogue.stop();
  await qdrant.stop();
});

describe('a search', () => {
  it.each([SearchMode.HYBRID, SearchMode.KEYWORD, SearchMode.SEMANTIC, SearchMode.UNSPECIFIED])(
    'puts the right document first in mode %s, with scores from 0 to 1',
    async (mode) => {
      const { results } = await search({ query: 'How do I encrypt my laptop?', mode });
      expect(results[0]).toMatchObject({
        documentId: 'doc_devices',
        title: 'Devices',
        collectionId: HANDBOOK,
        source: 'api',
      });
      const scores = results.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    },
  );

  it('shows why a document was found: an excerpt that stands verbatim in it, its terms marked, its passages', async () => {
    const { results } = await search({ query: 'parental leave', collectionIds: [HANDBOOK] });
    const [first] = results;
    expect(first?.excerpt).toBe('Parental leave is sixteen weeks of paid time off for every new parent.');
    expect(first?.highlights.map(({ start, end }) => first.excerpt.slice(start, end))).toEqual([
      'Parental',
      'leave',
      'parent',
    ]);
    expect(first?.passages.map(({ text }) => text)).toHaveLength(2);
    expect(first?.scores).toMatchObject({ keyword: expect.any(Number), semantic: expect.any(Number) });
    expect(first?.collectionName).toBe('Handbook');
  });

  it('groups the passages of a document and shows no more of them than asked', async () => {
    const { results } = await search({ query: 'leave', collectionIds: [HANDBOOK], maxPassagesPerDocument: 1 });
    expect(results.filter(({ documentId }) => documentId === 'doc_leave')).toHaveLength(1);
    expect(results[0]?.passages).toHaveLength(1);
  });

  it('finds what was misspelt', async () => {
    expect(idsOf(await search({ query: 'pasword manger' }))[0]).toBe('doc_devices');
  });

  it('keeps to the collections that are asked for, and to those that the key reaches', async () => {
    expect(idsOf(await search({ query: 'parental leave', collectionIds: [NOTES] }))).toEqual(['doc_notes']);
    const narrow = { ...caller, scope: { kind: 'only', ids: [NOTES] } } as const;
    expect(idsOf(await search({ query: 'parental leave' }, narrow))).toEqual(['doc_notes']);
    expect(idsOf(await search({ query: 'parental leave' }, { ...caller, scope: { kind: 'only', ids: [] } }))).toEqual(
      [],
    );
  });

  it('never shows another team anything', async () => {
    const { results, page } = await search({ query: 'parental leave' }, createCaller());
    expect(results).toEqual([]);
    expect(page).toMatchObject({ total: 0, hasMore: false });
  });

  it('shows an end user only what is public or names them', async () => {
    const query = { query: 'salary bands of engineers', mode: SearchMode.KEYWORD };
    expect(idsOf(await search(query))[0]).toBe('doc_private');
    expect(idsOf(await search(query, { ...caller, userEmail: 'ada@example.com' }))[0]).toBe('doc_private');
    expect(idsOf(await search(query, { ...caller, userEmail: 'bob@example.com' }))).not.toContain('doc_private');
  });

  it('leaves out documents below minScore and counts the rest', async () => {
    const all = await search({ query: 'parental leave', mode: SearchMode.KEYWORD });
    const minScore = all.results[0]!.score;
    const best = await search({ query: 'parental leave', mode: SearchMode.KEYWORD, minScore });
    expect(best.results.every(({ score }) => score >= minScore)).toBe(true);
    expect(best.page?.total).toBe(best.results.length);
    expect(best.page?.total).toBeLessThan(all.page!.total);
  });
});

describe('pages', () => {
  it('show every document once, in one order, and tell how many there are', async () => {
    const team = createCaller();
    const texts = Array.from({ length: 45 }, (_, at) => `Vacation note ${at}: ${'vacation '.repeat((at % 7) + 1)}`);
    for (const [at, text] of texts.entries()) {
      await catalogue.add(HANDBOOK, `doc_${at}`, `Note ${at}`, [text], { team: team.teamId });
    }
    const whole = await search({ query: 'vacation', page: { page: 1, limit: 100 } }, team);
    expect(whole.results).toHaveLength(45);
    expect(whole.page).toEqual({ page: 1, limit: 100, total: 45, hasMore: false });
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => search({ query: 'vacation', page: { page, limit: 20 } }, team)),
    );
    expect(pages.flatMap(idsOf)).toEqual(idsOf(whole));
    expect(pages.map(({ page }) => page?.hasMore)).toEqual([true, true, false, false]);
    expect(pages.map(({ page }) => page?.total)).toEqual([45, 45, 45, 45]);
  });
});

describe('a search that cannot be made', () => {
  it.each([
    [{ query: '  ' }, 'query'],
    [{ query: 'x'.repeat(2_001) }, 'query'],
    [{ minScore: 2 }, 'minScore'],
    [{ maxPassagesPerDocument: 21 }, 'maxPassagesPerDocument'],
  ])('names the field at fault', async (request, path) => {
    await expect(search(request)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [expect.objectContaining({ path })] },
    });
  });

  it('says that a collection is unknown or out of scope', async () => {
    await expect(search({ collectionIds: ['col_none'] })).rejects.toMatchObject({ code: 'not_found' });
    const narrow = { ...caller, scope: { kind: 'only', ids: [NOTES] } } as const;
    await expect(search({ collectionIds: [HANDBOOK] }, narrow)).rejects.toMatchObject({ code: 'forbidden' });
  });
});
