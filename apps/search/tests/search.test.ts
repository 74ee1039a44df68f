import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SearchMode, type SearchRequest, SearchServiceDefinition } from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';

const LEAVE = `# Leave

Parental leave is sixteen weeks of paid time off for every new parent.

## Sick leave

Sick leave is unlimited. Inform your manager when you are ill.`;

const caller = createCaller();
let catalog: TestCatalog;
let app: Awaited<ReturnType<typeof startSearch>>;
let connection: GrpcConnection;
let client: GrpcClient<typeof SearchServiceDefinition>;
let handbook: string;
let notes: string;

const search = (request: Partial<SearchRequest>, as: Caller = caller) =>
  client.search({ query: 'x', ...request }, callAs(as));
const titlesOf = ({ results }: { results: { title: string }[] }) => results.map(({ title }) => title);
const idsOf = ({ results }: { results: { documentId: string }[] }) => results.map(({ documentId }) => documentId);
const restrictedTo = (...ids: string[]): Caller => ({ ...caller, scope: { kind: 'only', ids } });

beforeAll(async () => {
  catalog = await startCatalog();
  app = await startSearch(readConfig({ ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
  connection = connectGrpc(`127.0.0.1:${app.port}`);
  client = connection.client(SearchServiceDefinition);
  handbook = await catalog.addCollection(caller, 'Handbook');
  notes = await catalog.addCollection(caller, 'Notes');
  await catalog.addDocuments(caller, handbook, [
    { title: 'Leave', content: LEAVE, url: 'https://docs.example.com/leave', metadata: { author: 'Ada', pages: 2 } },
    {
      title: 'Devices',
      content: 'Encrypt the disk of your laptop and use the password manager for every account.',
    },
    {
      title: 'Salaries',
      content: 'The salary bands of engineers are private.',
      principals: ['user:ada@example.com'],
    },
  ]);
  await catalog.addDocuments(caller, notes, [
    { title: 'Notes', content: 'The parental leave of Ada begins in March.' },
  ]);
});

afterAll(async () => {
  connection.close();
  await app.stop();
  await catalog.stop();
});

describe('a search', () => {
  it.each([SearchMode.HYBRID, SearchMode.KEYWORD, SearchMode.SEMANTIC, SearchMode.UNSPECIFIED])(
    'puts the right document first in mode %s, with scores from 0 to 1',
    async (mode) => {
      const { results } = await search({ query: 'How do I encrypt my laptop?', mode });
      expect(results[0]).toMatchObject({ title: 'Devices', collectionId: handbook, source: 'api' });
      const scores = results.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    },
  );

  it('returns a verbatim excerpt with highlighted terms, and the passages', async () => {
    const { results } = await search({ query: 'paid parental leave', collectionIds: [handbook] });
    const [first] = results;
    expect(first).toMatchObject({
      title: 'Leave',
      url: 'https://docs.example.com/leave',
      collectionName: 'Handbook',
      metadata: { author: 'Ada', pages: 2 },
      scores: { keyword: expect.any(Number), semantic: expect.any(Number) },
    });
    expect(LEAVE).toContain(first!.excerpt);
    const marked = first!.highlights.map(({ start, end }) => first!.excerpt.slice(start, end));
    expect(marked).toEqual(expect.arrayContaining(['Parental', 'leave', 'paid', 'parent']));
    for (const { text, start, end } of first!.passages) expect(LEAVE.slice(start, end)).toBe(text);
  });

  it('returns a document once, with at most the requested passages', async () => {
    const query = { query: 'leave', collectionIds: [handbook], mode: SearchMode.KEYWORD };
    expect(titlesOf(await search(query))).toEqual(['Leave']);
    const { results } = await search({ ...query, maxPassagesPerDocument: 1 });
    expect(results[0]?.passages).toHaveLength(1);
  });

  it('finds a document by its other words if one is misspelled', async () => {
    expect(titlesOf(await search({ query: 'pasword manager' }))[0]).toBe('Devices');
  });

  it('searches only the requested collections within the scope of the key', async () => {
    expect(titlesOf(await search({ query: 'parental leave', collectionIds: [notes] }))).toEqual(['Notes']);
    expect(titlesOf(await search({ query: 'parental leave' }, restrictedTo(notes)))).toEqual(['Notes']);
    expect(titlesOf(await search({ query: 'parental leave' }, restrictedTo()))).toEqual([]);
  });

  it('never returns documents of another team', async () => {
    const { results, page } = await search({ query: 'parental leave' }, createCaller());
    expect(results).toEqual([]);
    expect(page).toMatchObject({ total: 0, hasMore: false });
  });

  it('returns only public documents and those of the end user', async () => {
    const query = { query: 'salary bands of engineers' };
    expect(titlesOf(await search(query))[0]).toBe('Salaries');
    expect(titlesOf(await search(query, { ...caller, userEmail: 'ada@example.com' }))[0]).toBe('Salaries');
    expect(titlesOf(await search(query, { ...caller, userEmail: 'bob@example.com' }))).not.toContain('Salaries');
  });

  it('omits documents below minScore and counts the rest', async () => {
    const query = { query: 'parental leave', mode: SearchMode.KEYWORD };
    const all = await search(query);
    const minScore = all.results[0]!.relevance;
    const best = await search({ ...query, minScore });
    expect(best.results.every(({ relevance }) => relevance >= minScore)).toBe(true);
    expect(best.page?.total).toBe(best.results.length);
    expect(best.page?.total).toBeLessThan(all.page!.total);
  });

  it('does not find a document after its deletion', async () => {
    const [id] = await catalog.addDocuments(caller, notes, [{ title: 'Zebra', content: 'Zebras graze at dawn.' }]);
    const query = { query: 'zebras at dawn', mode: SearchMode.KEYWORD };
    expect(idsOf(await search(query))).toEqual([id]);
    await catalog.deleteDocument(caller, id!);
    expect(idsOf(await search(query))).toEqual([]);
  });
});

describe('identifiers, versions and emoji', () => {
  const team = createCaller();
  const texts = {
    Release: 'We shipped v2.3.1-rc.1 today 🎉 and it fixes ERR-1234.',
    Code: 'Call getUserById before you mail user@example.com.',
    Parts: 'Order part AB-12/34 ❤️ and send thanks 👩🏽‍💻.',
    Other: 'Version 2.3.4 of part AB-99/34 has error 1235. The user is 👨🏽‍💻.',
  };
  beforeAll(async () => {
    const collection = await catalog.addCollection(team, 'Identifiers');
    const documents = Object.entries(texts).map(([title, content]) => ({ title, content }));
    await catalog.addDocuments(team, collection, documents);
  });

  const expected: readonly [query: string, title: string, marked: string][] = [
    ['2.3.1', 'Release', 'v2.3.1-rc.1'],
    ['v2.3.1', 'Release', 'v2.3.1-rc.1'],
    ['v2.3.1-rc.1', 'Release', 'v2.3.1-rc.1'],
    ['v2.3.4', 'Other', '2.3.4'],
    ['ERR-1234', 'Release', 'ERR-1234'],
    ['getUserById', 'Code', 'getUserById'],
    ['user@example.com', 'Code', 'user@example.com'],
    ['AB-12/34', 'Parts', 'AB-12/34'],
    ['🎉', 'Release', '🎉'],
    ['❤', 'Parts', '❤️'],
    ['👩🏽‍💻', 'Parts', '👩🏽‍💻'],
    ['👩‍💻', 'Parts', '👩🏽‍💻'],
  ];
  it.each(expected)('ranks the document with %s first and highlights it', async (query, title, marked) => {
    for (const mode of [SearchMode.HYBRID, SearchMode.KEYWORD]) {
      const [first] = (await search({ query, mode }, team)).results;
      expect(first?.title).toBe(title);
      const marks = first?.highlights.map(({ start, end }) => first.excerpt.slice(start, end));
      expect(marks).toContain(marked);
    }
  });

  it('finds them as phrases and excludes them', async () => {
    const keyword = { mode: SearchMode.KEYWORD };
    expect(titlesOf(await search({ ...keyword, query: '"v2.3.1-rc.1 today"' }, team))).toEqual(['Release']);
    expect(titlesOf(await search({ ...keyword, query: '"AB-12/34"' }, team))).toEqual(['Parts']);
    expect(titlesOf(await search({ ...keyword, query: 'part -AB-12/34' }, team))).toEqual(['Other']);
  });
});

describe('pages', () => {
  it('return every document once, in the same order, with the total', async () => {
    const team = createCaller();
    const collection = await catalog.addCollection(team, 'Vacations');
    const documents = Array.from({ length: 45 }, (_, at) => ({
      title: `Note ${at}`,
      content: `Vacation note ${at}: ${'vacation '.repeat((at % 7) + 1)}`,
    }));
    const ids = await catalog.addDocuments(team, collection, documents);
    const whole = await search({ query: 'vacation', page: { page: 1, limit: 100 } }, team);
    expect(idsOf(whole).toSorted()).toEqual(ids.toSorted());
    expect(whole.page).toEqual({ page: 1, limit: 100, total: 45, hasMore: false });
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => search({ query: 'vacation', page: { page, limit: 20 } }, team)),
    );
    expect(pages.flatMap(idsOf)).toEqual(idsOf(whole));
    expect(pages.map(({ page }) => page?.hasMore)).toEqual([true, true, false, false]);
    expect(pages.map(({ page }) => page?.total)).toEqual([45, 45, 45, 45]);
  });
});

describe('an invalid search', () => {
  it.each([
    [{ query: '  ' }, 'query'],
    [{ query: 'x'.repeat(2_001) }, 'query'],
    [{ minScore: 2 }, 'minScore'],
    [{ maxPassagesPerDocument: 21 }, 'maxPassagesPerDocument'],
  ])('reports the invalid field', async (request, path) => {
    await expect(search(request)).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [expect.objectContaining({ path })] },
    });
  });

  it('reports a collection that is unknown or out of scope', async () => {
    await expect(search({ collectionIds: ['col_none'] })).rejects.toMatchObject({ code: 'not_found' });
    await expect(search({ collectionIds: [handbook] }, restrictedTo(notes))).rejects.toMatchObject({
      code: 'forbidden',
    });
  });
});
