import { z } from 'zod';
import { authorsOf } from '#confluence/authors';
import type { Attachment, ConfluenceApi, Page, Slice, Space } from '#confluence/confluence-api';
import { attachmentItemId, pageItemId } from '#confluence/item-id';
import { attachmentRef, pageRef } from '#confluence/item-refs';
import type { ConnectorCall } from '#connector';
import { failedEntry, type UnreadableEntry } from '#http/entries';
import { inOrder } from '#in-order';
import { canContainText } from '#media-type';
import type { Accounts } from '#readers/accounts';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

const CONCURRENT_PAGES = 4;

/** The position of a listing. Spaces are listed in the order of their keys. */
const Checkpoint = z.object({
  space: z.string(),
  /** The current page of the list; undefined for the first. */
  next: z.string().optional(),
  /** The last reported Confluence page, if the page of the list was interrupted. */
  after: z.string().optional(),
  /** Some attachments, or a whole space, could not be listed. */
  partial: z.boolean(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

interface PageWithFiles {
  readonly page: Page;
  readonly files: readonly Attachment[];
  /** Unreadable attachments. */
  readonly unreadable: readonly UnreadableEntry[];
  /** Why the attachments could not be listed. */
  readonly attachmentsError?: SourceError;
}

export interface ListingContext {
  readonly api: ConfluenceApi;
  readonly accounts: Accounts;
  readonly spaceKeys: readonly string[];
}

async function withFiles(api: ConfluenceApi, call: ConnectorCall, page: Page): Promise<PageWithFiles> {
  const files: Attachment[] = [];
  const unreadable: UnreadableEntry[] = [];
  try {
    let next: string | undefined;
    do {
      const slice = await api.attachments(call, page.id, next);
      files.push(...slice.items.filter((file) => canContainText(file.mimeType)));
      unreadable.push(...slice.unreadable);
      next = slice.next;
    } while (next !== undefined);
    return { page, files, unreadable };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // Deleted since it was listed: fetching the page will report that.
    if (error.kind === 'gone') return { page, files: [], unreadable };
    if (error.kind === 'forbidden' || error.kind === 'invalid')
      return { page, files, unreadable, attachmentsError: error };
    throw error;
  }
}

/**
 * Reads a page of the list. If its cursor has expired, the space starts again, which repeats items
 * but loses none.
 */
async function pageOfList(api: ConfluenceApi, call: ConnectorCall, space: Space, next?: string): Promise<Slice<Page>> {
  try {
    return await api.pages(call, space, next);
  } catch (error) {
    if (next === undefined || !(error instanceof SourceError) || error.kind !== 'invalid') throw error;
    return api.pages(call, space);
  }
}

async function* eventsOf(
  listing: ListingContext,
  call: ConnectorCall,
  entry: PageWithFiles,
): AsyncGenerator<SourceEvent, void, void> {
  const { page, files, unreadable, attachmentsError } = entry;
  const authors = await authorsOf(listing.accounts, call, [page, ...files]);
  yield { type: 'item', ref: pageRef(page, authors.get(page.id)) };
  for (const file of files) {
    yield { type: 'item', ref: attachmentRef(file, page.space.key, authors.get(file.id)) };
  }
  for (const file of unreadable) {
    const id = file.id === undefined ? undefined : attachmentItemId(page.space.key, page.id, file.id);
    yield failedEntry(file, { id, what: `the attachments of ${page.space.key}/${page.title}` });
  }
  if (attachmentsError === undefined) return;
  const id = pageItemId(page.space.key, page.id);
  const error = {
    code: attachmentsError.kind,
    message: `The attachments could not be listed. ${attachmentsError.message}`,
  };
  yield { type: 'failed', id: `${id}/attachments`, path: `${page.space.key}/${page.title}`, error };
}

/**
 * Lists one space from a checkpoint. If an error interrupts it, it yields a checkpoint, so that
 * each retry makes progress.
 */
async function* listSpace(
  listing: ListingContext,
  call: ConnectorCall,
  space: Space,
  from: Checkpoint,
): AsyncGenerator<SourceEvent, { partial: boolean }, void> {
  let at = from;
  for (;;) {
    const { items, unreadable, next } = await pageOfList(listing.api, call, space, at.next);
    for (const entry of unreadable) {
      // The attachments of this page are also missing from the listing.
      const id = entry.id === undefined ? undefined : pageItemId(space.key, entry.id);
      yield failedEntry(entry, { id, what: `the pages of space ${space.key}`, hides: true });
    }
    const reported = items.findIndex((page) => page.id === at.after);
    const rest = items.slice(reported + 1);
    await authorsOf(listing.accounts, call, rest);
    let { after, partial } = at;
    try {
      for await (const entry of inOrder(rest, CONCURRENT_PAGES, (page) => withFiles(listing.api, call, page))) {
        yield* eventsOf(listing, call, entry);
        partial ||= entry.attachmentsError !== undefined;
        after = entry.page.id;
      }
    } catch (error) {
      if (error instanceof SourceError && after !== at.after) {
        yield { type: 'checkpoint', at: JSON.stringify({ ...at, after, partial }) };
      }
      throw error;
    }
    if (next === undefined) return { partial };
    at = { space: space.key, next, partial };
    yield { type: 'checkpoint', at: JSON.stringify(at) };
  }
}

const byKey = (a: Space, b: Space): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

/** Lists every page of the selected spaces, each followed by its attachments. */
export async function* listContent(
  listing: ListingContext,
  call: ConnectorCall,
  from?: string,
): AsyncGenerator<SourceEvent, void, void> {
  const start = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from));
  const found = await listing.api.spaces(call, listing.spaceKeys);
  const spaces = [...found.items].sort(byKey);
  for (const entry of found.unreadable) yield failedEntry(entry, { id: entry.id, what: 'the spaces', hides: true });
  let partial = start?.partial ?? false;
  let first = true;
  for (const space of spaces) {
    if (start !== undefined && space.key < start.space) continue;
    const resumed = start?.space === space.key ? start : undefined;
    const beginning: Checkpoint = { space: space.key, partial };
    if (!first && resumed === undefined) yield { type: 'checkpoint', at: JSON.stringify(beginning) };
    first = false;
    try {
      ({ partial } = yield* listSpace(listing, call, space, resumed ?? beginning));
    } catch (error) {
      // Deleted or hidden since the spaces were listed.
      if (!(error instanceof SourceError) || error.kind !== 'gone') throw error;
      yield { type: 'failed', id: space.key, path: space.key, error: lostSpace(space.key) };
      partial = true;
    }
  }
  const missing = listing.spaceKeys.filter((key) => !spaces.some((space) => space.key === key));
  for (const key of missing) yield { type: 'failed', id: key, path: key, error: missingSpace(key) };
  // A page that moves between two spaces while they are listed is in neither list.
  yield { type: 'complete', authoritative: missing.length === 0 && !partial, confirmGone: true };
}

/** If a space of `spaceKeys` was renamed or hidden, its indexed content is not deleted. */
const missingSpace = (key: string) => ({
  code: 'gone',
  message: `The space ${key} does not exist or is not visible to this account. Check spaceKeys, or give the account access.`,
});

const lostSpace = (key: string) => ({
  code: 'gone',
  message: `The space ${key} was deleted, renamed or hidden from this account while it was listed. Give the account access, or remove the space from spaceKeys. This sync deletes no documents.`,
});
