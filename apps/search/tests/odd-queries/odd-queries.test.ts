import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SearchMode, SearchServiceDefinition } from '@lectern/contracts';
import { connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from '../catalog.ts';
import { ENGLISH, type OddDocument, OTHERS } from './documents.ts';

/** A row of the tables in docs/search.md. */
interface Row {
  readonly query: string;
  readonly first: readonly string[];
  readonly notFound: readonly string[];
}

const NOTHING = 'nothing';
const NONE = '–';
const ROW = /^\| `(.+)` \| ([^|]+) \| ([^|]+) \| [^|]+ \|$/u;

const docs = readFileSync(new URL('../../../../docs/search.md', import.meta.url), 'utf8');
const section = docs.slice(docs.indexOf('\n## Odd queries\n')).split(/\n## /)[1] ?? '';
const [english = [], all = []] = section.split('\n| Query |').slice(1).map(rowsOf);

function rowsOf(table: string): Row[] {
  return table.split('\n').flatMap((line) => {
    const [, query, first = '', notFound = ''] = ROW.exec(line) ?? [];
    if (query === undefined) return [];
    return [{ query, first: titlesIn(first, NOTHING), notFound: titlesIn(notFound, NONE) }];
  });
}

function titlesIn(cell: string, none: string): string[] {
  return cell === none ? [] : cell.split(', ');
}

describe('the tables of odd queries', () => {
  const caller = createCaller();
  let catalog: TestCatalog;
  let app: Awaited<ReturnType<typeof startSearch>>;
  let connection: GrpcConnection;
  let client: GrpcClient<typeof SearchServiceDefinition>;
  let handbook: string;

  beforeAll(async () => {
    catalog = await startCatalog();
    app = await startSearch(readConfig({ ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
    connection = connectGrpc(`127.0.0.1:${app.port}`);
    client = connection.client(SearchServiceDefinition);
    const add = async (name: string, documents: readonly OddDocument[]) => {
      const id = await catalog.addCollection(caller, name);
      await catalog.addDocuments(
        caller,
        id,
        documents.map(([title, content]) => ({ title, content })),
      );
      return id;
    };
    handbook = await add('Handbook', ENGLISH);
    await add('Manuals', OTHERS);
  }, 120_000);

  afterAll(async () => {
    connection.close();
    await app.stop();
    await catalog.stop();
  });

  const titles = async (query: string, mode: SearchMode, collectionIds: string[]) => {
    const { results } = await client.search(
      { query, mode, collectionIds, page: { page: 1, limit: 100 } },
      callAs(caller),
    );
    return results.map(({ title }) => title);
  };

  async function check({ query, first, notFound }: Row, collectionIds: string[]): Promise<void> {
    const byKeyword = await titles(query, SearchMode.KEYWORD, collectionIds);
    const byBoth = await titles(query, SearchMode.HYBRID, collectionIds);
    if (first.length === 0) return expect([byKeyword, byBoth]).toEqual([[], []]);
    expect(byKeyword.slice(0, first.length).sort()).toEqual(first.toSorted());
    expect(byKeyword.filter((title) => notFound.includes(title))).toEqual([]);
    expect(byBoth.slice(0, first.length).sort()).toEqual(first.toSorted());
  }

  it('have at least 120 rows', () => {
    expect(english.length + all.length).toBeGreaterThanOrEqual(120);
    expect(new Set(english.map(({ query }) => query)).size).toBe(english.length);
  });

  it('name documents that exist', () => {
    const known = new Set([...ENGLISH, ...OTHERS].map(([title]) => title));
    const named = [...english, ...all].flatMap(({ first, notFound }) => [...first, ...notFound]);
    expect(named.filter((title) => !known.has(title))).toEqual([]);
  });

  it.each([
    ['vacination guidlines', ['Vaccination', 'guidelines']],
    ['5GB', ['5 GB']],
    ['it support', ['IT', 'support', 'IT']],
    ['C++', ['C++17']],
    ['1000 dollars', ['$1,000']],
  ])('marks what %s found in the excerpt', async (query, marked) => {
    const { results } = await client.search({ query, collectionIds: [handbook] }, callAs(caller));
    const [{ excerpt = '', highlights = [] } = {}] = results;
    expect(highlights.map(({ start, end }) => excerpt.slice(start, end))).toEqual(marked);
  });

  it('corrects a word only from documents that the caller can read', async () => {
    const team = createCaller();
    const secrets = await catalog.addCollection(team, 'Secrets');
    await catalog.addDocuments(team, secrets, [
      { title: 'Zephyrium', content: 'The zephyrium project is secret.', principals: ['user:ada@example.com'] },
      { title: 'Budget', content: 'The budget is public.', principals: ['public'] },
    ]);
    const find = async (userEmail: string) => {
      const request = { query: 'zephyrum', mode: SearchMode.KEYWORD };
      return (await client.search(request, callAs({ ...team, userEmail }))).results.map(({ title }) => title);
    };
    expect(await find('bob@example.com')).toEqual([]);
    expect(await find('ada@example.com')).toEqual(['Zephyrium']);
    expect(await find('bob@example.com')).toEqual([]);
  });

  it.each(english)('finds what is right for $query in English documents', (row) => check(row, [handbook]));

  it.each(all)('finds what is right for $query in all documents', (row) => check(row, []));
});
