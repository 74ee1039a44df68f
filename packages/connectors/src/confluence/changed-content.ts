import { z } from 'zod';
import { authorsOf } from '#confluence/authors';
import type { Changed } from '#confluence/confluence-api';
import { attachmentRef, pageRef } from '#confluence/item-refs';
import type { ListingContext } from '#confluence/list-content';
import type { ConnectorCall } from '#connector';
import { failedEntry } from '#http/entries';
import { canContainText } from '#media-type';
import type { SourceEvent } from '#source';

/**
 * CQL times are in minutes and in the account's time zone, and the search index lags: the last day
 * is read again.
 */
const OVERLAP_MS = 24 * 60 * 60_000;

const Cursor = z.object({
  /** All changes before this time were reported. ISO 8601. */
  since: z.string(),
  /** For an unfinished run: the next page, and the value of `since` after the run. */
  next: z.string().optional(),
  until: z.string().optional(),
});

/** Returns the cursor for changes since a time. */
export const cursorAt = (time: Date): string => JSON.stringify({ since: time.toISOString() });

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Searches pages and attachments changed since a time in the selected spaces. */
function changesCql(since: Date, spaceKeys: readonly string[]): string {
  const from = new Date(since.getTime() - OVERLAP_MS).toISOString();
  const spaces = spaceKeys.length === 0 ? '' : `space in (${spaceKeys.map(quoted).join(', ')}) and `;
  const minute = `${from.slice(0, 10)} ${from.slice(11, 16)}`;
  return `${spaces}type in (page, attachment) and lastmodified >= "${minute}" order by lastmodified`;
}

/**
 * Yields the changes since a cursor. Only a full listing detects deletions. Items in the overlap are reported
 * again.
 */
export async function* changedContent(
  listing: ListingContext,
  call: ConnectorCall,
  from: string,
): AsyncGenerator<SourceEvent, void, void> {
  const cursor = Cursor.parse(JSON.parse(from));
  const until = cursor.until ?? new Date().toISOString();
  const cql = changesCql(new Date(cursor.since), listing.spaceKeys);
  let next = cursor.next;
  do {
    const slice = await listing.api.search(call, cql, next);
    const contents = slice.items.map((entry) => (entry.kind === 'page' ? entry.page : entry.attachment));
    const authors = await authorsOf(listing.accounts, call, contents);
    for (const entry of slice.unreadable) yield failedEntry(entry, { id: undefined, what: 'the changed pages' });
    for (const entry of slice.items) {
      const event = toEvent(entry, (id) => authors.get(id));
      if (event !== undefined) yield event;
    }
    next = slice.next;
    const at = next === undefined ? { since: until } : { since: cursor.since, next, until };
    yield { type: 'checkpoint', at: JSON.stringify(at) };
  } while (next !== undefined);
  yield { type: 'complete', authoritative: false };
}

function toEvent(entry: Changed, authorOf: (id: string) => string | undefined): SourceEvent | undefined {
  if (entry.kind === 'page') return { type: 'item', ref: pageRef(entry.page, authorOf(entry.page.id)) };
  const { attachment, spaceKey } = entry;
  if (!canContainText(attachment.mimeType)) return undefined;
  return { type: 'item', ref: attachmentRef(attachment, spaceKey, authorOf(attachment.id)) };
}
