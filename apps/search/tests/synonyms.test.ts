import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SearchMode, type SearchRequest, SearchServiceDefinition, SynonymServiceDefinition } from '@lectern/contracts';
import { type Caller, connectGrpc, type GrpcClient, type GrpcConnection } from '@lectern/service-kit';
import { callAs, createCaller } from '@lectern/testing';
import fc from 'fast-check';
import { readConfig } from '#config';
import { startSearch } from '#server';
import { startCatalog, type TestCatalog } from './catalog.ts';

/** Invented words, so that no pack applies. */
const DOCUMENTS = [
  { title: 'One', content: 'The zorbik is stored in the cellar.' },
  { title: 'Two', content: 'The blue velmor grows in the garden.' },
  { title: 'Three', content: 'The garden is blue.' },
  { title: 'Four', content: 'Every quantu needs water.' },
  { title: 'Five', content: 'A zorbik next to a quantu.' },
];

let catalog: TestCatalog;
let app: Awaited<ReturnType<typeof startSearch>>;
let connections: GrpcConnection[];
let client: GrpcClient<typeof SearchServiceDefinition>;
let synonyms: GrpcClient<typeof SynonymServiceDefinition>;

beforeAll(async () => {
  catalog = await startCatalog();
  app = await startSearch(readConfig({ ...catalog.env, GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' }));
  connections = [connectGrpc(`127.0.0.1:${app.port}`), connectGrpc(catalog.env.COLLECTION_ADDRESS!)];
  client = connections[0]!.client(SearchServiceDefinition);
  synonyms = connections[1]!.client(SynonymServiceDefinition);
});
afterAll(async () => {
  for (const connection of connections) connection.close();
  await app.stop();
  await catalog.stop();
});

/** A team with the documents, and its searches. */
async function newTeam() {
  const caller = createCaller();
  const collection = await catalog.addCollection(caller, 'Texts');
  await catalog.addDocuments(caller, collection, DOCUMENTS);
  const search = (query: string, request: Partial<SearchRequest> = {}, as: Caller = caller) =>
    client.search({ query, mode: SearchMode.KEYWORD, ...request }, callAs(as));
  const titles = async (...of: Parameters<typeof search>) => (await search(...of)).results.map(({ title }) => title);
  return { caller, call: callAs(caller), collection, search, titles };
}

describe('a search with synonyms', () => {
  it('finds documents by them from the next search on, after the word itself, and reports them', async () => {
    const { call, search, titles } = await newTeam();
    expect(await titles('velmors')).toEqual(['Two']);
    const { id } = await synonyms.createSynonym({ terms: ['velmor', 'zorbik'] }, call);
    const { results } = await search('velmors');
    expect(results.map(({ title }) => title)[0]).toBe('Two');
    expect(results.map(({ title }) => title).sort()).toEqual(['Five', 'One', 'Two']);
    const byTitle = new Map(results.map((result) => [result.title, result]));
    expect(byTitle.get('One')?.synonyms).toEqual([{ from: 'velmors', to: 'zorbik' }]);
    expect(byTitle.get('Two')?.synonyms).toEqual([]);
    const { excerpt, highlights } = byTitle.get('One')!;
    expect(highlights.map(({ start, end }) => excerpt.slice(start, end))).toEqual(['zorbik']);
    await synonyms.updateSynonym({ id, enabled: false }, call);
    expect(await titles('velmor')).toEqual(['Two']);
    await synonyms.updateSynonym({ id, enabled: true }, call);
    expect(await titles('velmor')).toHaveLength(3);
    await synonyms.deleteSynonym({ id }, call);
    expect(await titles('velmor')).toEqual(['Two']);
  });

  it('applies a one-way synonym in one direction', async () => {
    const { call, titles } = await newTeam();
    await synonyms.createSynonym({ input: ['zorbik'], terms: ['velmor'] }, call);
    expect((await titles('zorbik')).sort()).toEqual(['Five', 'One', 'Two']);
    expect(await titles('velmor')).toEqual(['Two']);
  });

  it('needs all words of a synonym in the document, and finds one of several words as a whole', async () => {
    const { call, titles } = await newTeam();
    await synonyms.createSynonym({ terms: ['wexum', 'blue velmor'] }, call);
    expect(await titles('wexum')).toEqual(['Two']);
    await synonyms.createSynonym({ input: ['state of the art'], terms: ['zorbik'] }, call);
    expect((await titles('state of the art')).sort()).toEqual(['Five', 'One']);
    expect(await titles('art')).toEqual([]);
  });

  it('leaves quoted words and exclusions as written', async () => {
    const { call, titles } = await newTeam();
    await synonyms.createSynonym({ terms: ['quantu', 'zorbik'] }, call);
    expect((await titles('"quantu"')).sort()).toEqual(['Five', 'Four']);
    expect(await titles('quantu -zorbik')).toEqual(['Four']);
    expect((await titles('zorbik -quantu')).sort()).toEqual(['One']);
  });

  it.each([SearchMode.KEYWORD, SearchMode.HYBRID])('works in mode %s', async (mode) => {
    const { call, titles } = await newTeam();
    await synonyms.createSynonym({ terms: ['wexum', 'zorbik'] }, call);
    expect(await titles('wexum', { mode })).toEqual(expect.arrayContaining(['One', 'Five']));
  });

  it('uses those of a collection only in searches of it', async () => {
    const { call, caller, collection, titles } = await newTeam();
    const other = await catalog.addCollection(caller, 'Other');
    await catalog.addDocuments(caller, other, [{ title: 'Six', content: 'A zorbik elsewhere.' }]);
    await synonyms.createSynonym({ terms: ['wexum', 'zorbik'], collectionId: other }, call);
    expect(await titles('wexum', { collectionIds: [collection] })).toEqual([]);
    expect(await titles('wexum', { collectionIds: [other] })).toEqual(['Six']);
    expect((await titles('wexum')).sort()).toEqual(['Five', 'One', 'Six']);
    const scoped: Caller = { ...caller, scope: { kind: 'only', ids: [collection] } };
    expect(await titles('wexum', {}, scoped)).toEqual([]);
  });

  it('never uses those of another team', async () => {
    const { call } = await newTeam();
    const other = await newTeam();
    await synonyms.createSynonym({ terms: ['wexum', 'zorbik'] }, call);
    expect(await other.titles('wexum')).toEqual([]);
  });

  it('uses the packs until the team switches them off', async () => {
    const { caller, call, collection, search, titles } = await newTeam();
    await catalog.addDocuments(caller, collection, [
      { title: 'Absence', content: 'Ask your manager before you book your annual leave for the summer.' },
    ]);
    const { results } = await search('How do I request PTO?');
    const found = results.find(({ title }) => title === 'Absence');
    expect(found?.synonyms).toContainEqual({ from: 'PTO', to: 'annual leave' });
    await synonyms.updateSynonymPack({ name: 'workplace-en', enabled: false }, call);
    expect(await titles('PTO')).toEqual([]);
    await synonyms.updateSynonymPack({ name: 'workplace-en', enabled: true }, call);
    expect(await titles('PTO')).toEqual(['Absence']);
    const { synonyms: rules } = await synonyms.listSynonyms({ query: 'annual leave', source: 'workplace-en' }, call);
    for (const { id } of rules) await synonyms.updateSynonym({ id, enabled: false }, call);
    expect(await titles('PTO')).toEqual([]);
  });

  it('finds at least what it finds without them', async () => {
    const { call, titles } = await newTeam();
    const words = ['zorbik', 'quantu', 'velmor', 'blue', 'garden', 'water', 'wexum'];
    const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '));
    const rule = fc.uniqueArray(text, { minLength: 2, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(rule, { minLength: 1, maxLength: 3 }), async (query, rules) => {
        await synonyms.importSynonyms({ synonyms: [], replace: true }, call);
        const before = await titles(query);
        await synonyms.importSynonyms({ synonyms: rules.map((terms) => ({ input: [], terms })), replace: true }, call);
        expect(await titles(query)).toEqual(expect.arrayContaining(before));
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});
