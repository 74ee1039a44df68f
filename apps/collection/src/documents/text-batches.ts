import { type Batched, createBatcher } from '@lectern/service-kit';
import type { StoredPage } from '#documents/document-pages';

/** Bytes per statement: those of the texts, plus an estimate for the rest of each document. */
const MAX_BYTES = 1024 * 1024;
const RECORD_BYTES = 8 * 1024;
const PAGE_BYTES = 100;

interface TextToStore {
  readonly content: string;
  readonly pages?: readonly StoredPage[] | undefined;
}

/** Creates a batcher of statements that store documents with their texts. */
export function createTextBatcher<T extends TextToStore, R>(
  work: (documents: readonly T[]) => Promise<readonly R[]>,
): Batched<T, R> {
  return createBatcher<T, R>({
    maxWeight: MAX_BYTES,
    weightOf: ({ content, pages = [] }) =>
      content.length + RECORD_BYTES + pages.reduce((sum, { words }) => sum + words.length + PAGE_BYTES, 0),
    work,
  });
}

/**
 * Throws if a batch contains a document twice, because a statement updates a row only once. The
 * batcher then stores the documents one by one.
 */
export function requireDistinct(names: readonly string[]): void {
  if (new Set(names).size < names.length) throw new Error('A batch contains a document twice.');
}
