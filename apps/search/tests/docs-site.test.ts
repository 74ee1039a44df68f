import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyzePassage, createDenseEncoders, createSparseEncoder, documentWords } from '@lectern/embeddings';
import { type TestQdrant, testQdrant } from '@lectern/testing';
import { createVectorStore, type VectorStore } from '@lectern/vector-store';
import { searchDocsSite } from '#docs-site/search-docs-site';
import { toSearchResult } from '#handlers/to-search-result';

const MODEL = 'docs';
const PAGES: Readonly<Record<string, string>> = {
  'Reset your password':
    'Open the sign-in page and choose the link below the form. A message with a new link arrives shortly.',
  'Password policy': 'At least twelve characters. Change it when it may have leaked.',
  'Parental leave': 'New parents get sixteen weeks of paid time off, to be taken in one or two parts.',
  'Configure webhooks':
    'Webhooks deliver events to your server. Every delivery is signed with a secret and retried on failure.',
  'Rate limits': 'Requests beyond the limit return status 429 and a header with the time of the next try.',
  'Zürich office': 'The office in Zürich opens at eight. Ask at the desk for a visitor badge.',
  Releases:
    'Release v2.3.1-rc.1 fixes ERR-1234 in getUserById 🎉. Mail user@example.com about part AB-12/34, or send ❤️.',
  'Older releases': 'Version 1.4.0 changed nothing 👍🏽. Version v1.4.2 neither.',
  假期政策: '新父母可享受十六周带薪产假。',
};

const encoder = createDenseEncoders().get();
const sparse = createSparseEncoder();
let qdrant: TestQdrant;
let store: VectorStore;

const find = async (text: string, limit = 10) => {
  const collections = [{ id: 'col_1', name: 'Docs', embeddingModel: MODEL }];
  const query = { team: 'team_1', collections, principals: undefined, text, limit };
  const { hits, terms } = await searchDocsSite({ store, sparse }, query, new AbortController().signal);
  return hits.map((hit) => toSearchResult(hit, 'Docs', terms));
};
const titles = async (text: string) => (await find(text)).map(({ title }) => title);

beforeAll(async () => {
  qdrant = await testQdrant();
  store = createVectorStore({ url: qdrant.url, prefix: `docs_${Date.now()}_` });
  await store.ensureModel({ model: MODEL, dimensions: encoder.dimensions ?? 512 });
  const pages = Object.entries(PAGES);
  const dense = await encoder.embedDocuments(pages.map((page) => page.join('\n')));
  const now = new Date().toISOString();
  await store.upsertPassages(
    MODEL,
    pages.map(([title, text], at) => ({
      team: 'team_1',
      collection: 'col_1',
      document: `doc_${at}`,
      source: 'api',
      type: 'text',
      createdAt: now,
      updatedAt: now,
      principals: ['public'],
      version: 1,
      chunk: 0,
      metadata: {},
      title,
      heading: '',
      text,
      start: 0,
      end: text.length,
      dense: dense[at] ?? new Float32Array(),
      sparse: sparse.encodeDocument(analyzePassage({ title, text })),
      terms: documentWords(analyzePassage({ title, text })),
    })),
  );
});

afterAll(async () => {
  await store.dropModel(MODEL);
  await qdrant.stop();
});

describe('the search box of a documentation site', () => {
  it('finds a page by every prefix of its title', async () => {
    for (const title of ['Configure webhooks', 'Rate limits', 'Reset your password']) {
      for (let length = 1; length <= title.length; length += 1) {
        const typed = title.slice(0, length);
        expect([typed, await titles(typed)]).toEqual([typed, expect.arrayContaining([title])]);
      }
    }
  });

  it('ranks the page first whose title is being typed', async () => {
    expect((await titles('reset pass'))[0]).toBe('Reset your password');
    expect((await titles('password pol'))[0]).toBe('Password policy');
    expect((await titles('webh'))[0]).toBe('Configure webhooks');
    expect((await titles('zu'))[0]).toBe('Zürich office');
    expect((await titles('limits rate'))[0]).toBe('Rate limits');
    expect((await titles('产假'))[0]).toBe('假期政策');
  });

  it.each([
    ['pasword', 'Reset your password'],
    ['passwrod policy', 'Password policy'],
    ['parentel laeve', 'Parental leave'],
    ['cofigure webhoks', 'Configure webhooks'],
    ['webhhoks', 'Configure webhooks'],
    ['visiter badge', 'Zürich office'],
  ])('finds a page despite a misspelling: %s', async (typed, title) => {
    expect((await titles(typed)).slice(0, 2)).toContain(title);
  });

  it('highlights matches in any spelling', async () => {
    const marked = ({ excerpt, highlights }: Awaited<ReturnType<typeof find>>[number]) =>
      highlights.map(({ start, end }) => excerpt.slice(start, end));
    const [prefix] = await find('deliv');
    expect(marked(prefix!)).toEqual(['deliver', 'delivery']);
    const [misspelled] = await find('visiter');
    expect(marked(misspelled!)).toEqual(['visitor']);
  });

  it('returns nothing for unknown words, and no more than the limit', async () => {
    expect(await titles('xylophone')).toEqual([]);
    expect(await titles('!?')).toEqual([]);
    expect(await find('password', 1)).toHaveLength(1);
  });

  it('scores from 0 to 1, best first', async () => {
    const scores = (await find('password')).map(({ score }) => score);
    expect(scores.length).toBeGreaterThan(1);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
  });

  it.each([
    ['2.3.1', 'Releases'],
    ['v2.3.1', 'Releases'],
    ['v2.3.1-rc.1', 'Releases'],
    ['v1.4.0', 'Older releases'],
    ['1.4.2', 'Older releases'],
    ['1.4', 'Older releases'],
    ['ERR-1234', 'Releases'],
    ['getUserById', 'Releases'],
    ['user@example.com', 'Releases'],
    ['AB-12/34', 'Releases'],
    ['🎉', 'Releases'],
    ['❤', 'Releases'],
    ['👍🏽', 'Older releases'],
    ['👍', 'Older releases'],
  ])('finds and marks %s', async (query, title) => {
    const [first] = await find(query);
    expect(first?.title).toBe(title);
    expect(first?.highlights.length).toBeGreaterThan(0);
  });

  it('does not confuse versions that share parts', async () => {
    expect(await titles('v9.2.3')).toEqual([]);
    expect(await titles('🎊')).toEqual([]);
  });

  it('compares the last word of a long query', async () => {
    const many = Array.from({ length: 300 }, (_, at) => `zq${at}x`).join(' ');
    expect(await titles(`${many} webhooks`)).toContain('Configure webhooks');
  });
});
