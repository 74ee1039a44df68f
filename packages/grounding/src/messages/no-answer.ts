import type { Language } from '@lectern/text';
import type { ReplyPhrases } from '#messages/reply-phrases';

/** What a search by the caller can find. */
export interface IndexingState {
  /** Whether any document is indexed. */
  readonly searchable: boolean;
  /** The documents that wait to be indexed. Counts only those that the caller may read. */
  readonly pending: number;
  /** The languages of the documents, the most frequent first. */
  readonly languages: readonly Language[];
}

/** The maximum number of titles in a suggestion, and their maximum length in UTF-16 units. */
const MAX_TITLES = 3;
const MAX_TITLE = 80;

/**
 * Returns the reply to a question without an answer: the reason and what to do. `titles` are those
 * of the closest documents. An unknown state counts as one with documents.
 */
export function noAnswer(phrases: ReplyPhrases, state: IndexingState | undefined, titles: readonly string[]): string {
  const { join, notFound, notYet, noDocuments, indexing, askAgainLater } = phrases;
  if (state !== undefined && state.pending > 0) {
    return join(state.searchable ? notFound : notYet, indexing(state.pending), askAgainLater);
  }
  if (state !== undefined && !state.searchable) return noDocuments;
  const short = titles.map((title) => title.trim()).filter(({ length }) => length > 0 && length <= MAX_TITLE);
  return join(notFound, phrases.rephrase([...new Set(short)].slice(0, MAX_TITLES)));
}

/** Returns the text before the closest passage, which is quoted because no passage answers. */
export function beforeClosest(phrases: ReplyPhrases, state: IndexingState | undefined): string {
  const { join, notFound, closest, indexing, askAgainLater } = phrases;
  if (state === undefined || state.pending === 0) return join(notFound, closest);
  return join(notFound, indexing(state.pending), askAgainLater, closest);
}
