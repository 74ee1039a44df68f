import type { DocumentPage, EncodedPage, PageWord } from '@lectern/contracts';
import { boxUnits, decodeWords, maxPagesWithWords, maxWordBytes, type PlacedWord } from '@lectern/documents';
import { invalidRequest } from '@lectern/service-kit';
import { Prisma } from '#gen/prisma/client';

/** The words of a page, as they are stored. */
export type StoredPage = Omit<EncodedPage, 'words'> & { readonly words: Uint8Array };

/** Checks the pages of a document. Throws `invalid_request`. */
export function requirePages(pages: readonly StoredPage[], content: string): void {
  const bytes = pages.reduce((sum, { words }) => sum + words.length, 0);
  const isOrdered = pages.every(
    ({ page, width, height, start, end }, index) =>
      Number.isFinite(width + height) &&
      page > (pages[index - 1]?.page ?? 0) &&
      start >= (pages[index - 1]?.end ?? 0) &&
      end >= start,
  );
  if (pages.length > maxPagesWithWords || bytes > maxWordBytes)
    throw invalidRequest([
      { path: 'pages', message: `must have at most ${maxPagesWithWords} items and ${maxWordBytes} bytes` },
    ]);
  if (!isOrdered || (pages.at(-1)?.end ?? 0) > content.length)
    throw invalidRequest([{ path: 'pages', message: 'must be in the order of the text' }]);
}

/** A part of a statement whose `stored` contains documents with their new versions: deletes the pages of earlier ones. */
export const OLD_PAGES = Prisma.raw(`old_pages AS (
  DELETE FROM document_pages USING stored
  WHERE document_pages.document_id = stored.id AND document_pages.version < stored.version
)`);

/**
 * Returns a part of a statement whose `stored` contains documents with their new versions: replaces their pages.
 * @param names rows that name each document by its position, starting at 1: `name (…, document)`
 * @param match the condition that joins `name` to `stored`
 */
export function replacePages(
  documents: readonly { readonly pages?: readonly StoredPage[] | undefined }[],
  names: Prisma.Sql,
  match: Prisma.Sql,
): Prisma.Sql {
  const rows = documents.flatMap(({ pages = [] }, index) =>
    pages.map(({ words, ...page }) => ({ ...page, document: index + 1, words: Buffer.from(words).toString('base64') })),
  );
  return Prisma.sql`new_pages AS (
      INSERT INTO document_pages (document_id, version, page, width, height, start, "end", words)
      SELECT stored.id, stored.version, new.page, new.width, new.height, new.start, new."end", decode(new.words, 'base64')
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS new (
        document int, page int, width float8, height float8, start int, "end" int, words text)
      JOIN ${names} ON name.document = new.document
      JOIN stored ON ${match}
    ), ${OLD_PAGES}`;
}

const toWord = ({ start, end, box: [left, top, right, bottom] }: PlacedWord): PageWord => ({
  start,
  end,
  left: left / boxUnits,
  top: top / boxUnits,
  right: right / boxUnits,
  bottom: bottom / boxUnits,
});

/** Returns a page with those of its words that are in a part of the text. */
export const toPage = (row: StoredPage, part: { readonly start: number; readonly end: number }): DocumentPage => {
  const { page, width, height, start, end } = row;
  const words = decodeWords(row.words, start).filter((word) => word.end > part.start && word.start < part.end);
  return { page, width, height, start, end, words: words.map(toWord) };
};
