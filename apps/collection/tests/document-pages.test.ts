import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EncodedPage } from '@lectern/contracts';
import { encodeWords } from '@lectern/documents';
import { callAs, createCaller } from '@lectern/testing';
import { startTestCollection, type TestCollection } from './start-collection.ts';

const ada = 'user:ada@example.com';
const caller = createCaller();
const as = () => callAs(caller);

let service: TestCollection;
let collectionId: string;
const connectorId = `con_${crypto.randomUUID()}`;

beforeAll(async () => {
  service = await startTestCollection();
  collectionId = (await service.collections.createCollection({ name: 'Scans' }, as())).id;
});
afterAll(() => service.stop());

const pageOf = (page: number, start: number, words: readonly string[]): EncodedPage => {
  let at = start;
  const placed = words.map((word, index) => {
    const from = at;
    at += word.length + 1;
    return { start: from, end: from + word.length, box: [index * 1_000, 500, index * 1_000 + 900, 700] } as const;
  });
  const end = start + words.join(' ').length;
  return { page, width: 612, height: 792, start, end, words: Buffer.from(encodeWords(placed, start)) };
};

/** The text of pages, separated by blank lines, and their words. */
const pagesOf = (...texts: readonly string[]) => {
  let start = 0;
  const pages = texts.map((text, index) => {
    const page = pageOf(index + 1, start, text.split(' '));
    start += text.length + 2;
    return page;
  });
  return { content: texts.join('\n\n'), pages };
};

const index = (
  externalId: string,
  { content, pages }: { readonly content: string; readonly pages: readonly EncodedPage[] },
  principals = ['public'],
) =>
  service.documents.indexItem(
    {
      ...{ connectorId, collectionId, source: 'upload', externalId, title: externalId, content, type: 'pdf' },
      ...{ url: undefined, metadata: {}, principals, pages: [...pages] },
    },
    as(),
  );
const read = async (id: string, part: { start?: number; end?: number } = {}, call = as()) =>
  (await service.documents.getDocumentPages({ id, ...part }, call)).pages;
const storedPages = () => service.context.db.documentPage.count();

describe('the pages of a document', () => {
  it('contain the words of the requested part of the text, and their places', async () => {
    const both = pagesOf('Thirty days of leave', 'Send bills to Ada');
    const { id } = await index('leave.pdf', both);
    const pages = await read(id);
    expect(pages.map(({ page, start, end }) => [page, start, end])).toEqual([
      [1, 0, 20],
      [2, 22, 39],
    ]);
    const texts = pages.map(({ words }) => words.map(({ start, end }) => both.content.slice(start, end)));
    expect(texts).toEqual([
      ['Thirty', 'days', 'of', 'leave'],
      ['Send', 'bills', 'to', 'Ada'],
    ]);
    const [second, ...others] = await read(id, { start: 27, end: 32 });
    expect(others).toEqual([]);
    expect(second).toMatchObject({ page: 2, width: 612, height: 792 });
    expect(second?.words).toEqual([{ start: 27, end: 32, left: 0.1, top: 0.05, right: 0.19, bottom: 0.07 }]);
    expect(await read(id, { start: 1_000 })).toEqual([]);
  });

  it('are returned at most 10 at a time', async () => {
    const { id } = await index('long.pdf', pagesOf(...Array.from({ length: 12 }, (_, page) => `Page ${page}`)));
    const first = await read(id);
    expect(first.map(({ page }) => page)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect((await read(id, { start: first.at(-1)!.end })).map(({ page }) => page)).toEqual([11, 12]);
  });

  it('are replaced with the text, whichever call replaces it', async () => {
    const before = await storedPages();
    const { id } = await index('new.pdf', pagesOf('Old text', 'Second page'));
    await index('new.pdf', pagesOf('New text'));
    expect((await read(id)).map(({ page, end }) => [page, end])).toEqual([[1, 8]]);
    const next = pagesOf('Newest', 'words', 'here');
    await service.documents.indexDocument({ id, title: 'new.pdf', type: 'pdf', principals: ['public'], ...next }, as());
    expect(await read(id)).toHaveLength(3);
    expect(await storedPages()).toBe(before + 3);
    await index('new.pdf', { content: 'Plain text.', pages: [] });
    expect(await read(id)).toEqual([]);
    expect(await storedPages()).toBe(before);
  });

  it('of the same document never mix when versions are stored at the same time', async () => {
    const versions = Array.from({ length: 8 }, (_, n) => pagesOf(`Version ${n}`, ...Array(n).fill('more')));
    const [first] = await Promise.all(versions.map((version) => index('busy.pdf', version)));
    const { content } = await service.documents.getDocumentContent({ id: first!.id }, as());
    const pages = await read(first!.id);
    const expected = versions.find((version) => version.content === content)!;
    expect(pages.map(({ end }) => end)).toEqual(expected.pages.map(({ end }) => end));
    expect(await service.context.db.documentPage.count({ where: { documentId: first!.id } })).toBe(pages.length);
  });

  it('are deleted with the document, and with its collection', async () => {
    const { id } = await index('gone.pdf', pagesOf('Soon gone'));
    await service.documents.deleteDocument({ id }, as());
    await expect(read(id)).rejects.toMatchObject({ code: 'not_found' });
    const other = await service.collections.createCollection({ name: 'Short' }, as());
    const text = pagesOf('In another collection');
    const item = { connectorId, collectionId: other.id, source: 'upload', externalId: 'other.pdf', title: 'Other' };
    const moved = await service.documents.indexItem({ ...item, type: 'pdf', principals: ['public'], ...text }, as());
    await service.collections.deleteCollection({ id: other.id }, as());
    const left = await service.context.db.documentPage.count({ where: { documentId: { in: [id, moved.id] } } });
    expect(left).toBe(0);
  });

  it('are only for callers who can read the document', async () => {
    const { id } = await index('secret.pdf', pagesOf('Only for Ada'), [ada]);
    expect(await read(id)).toHaveLength(1);
    expect(await read(id, {}, callAs({ ...caller, userEmail: ada.slice(5) }))).toHaveLength(1);
    await expect(read(id, {}, callAs({ ...caller, userEmail: 'bob@example.com' }))).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(read(id, {}, callAs(createCaller()))).rejects.toMatchObject({ code: 'not_found' });
    const scope = { kind: 'only', ids: [`col_${crypto.randomUUID()}`] } as const;
    await expect(read(id, {}, callAs({ ...caller, scope }))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are rejected if they are not in the order of the text', async () => {
    const { content, pages } = pagesOf('One page', 'Two pages');
    for (const wrong of [[...pages].reverse(), [pages[0]!, pages[0]!], [{ ...pages[1]!, end: 1_000 }]]) {
      await expect(index('wrong.pdf', { content, pages: wrong })).rejects.toMatchObject({
        code: 'invalid_request',
        details: { issues: [{ path: 'pages' }] },
      });
    }
  });
});
