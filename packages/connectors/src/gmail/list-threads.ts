import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { GmailApi, ThreadsFrom } from '#gmail/gmail-api';
import type { ThreadPage } from '#gmail/gmail-schemas';
import { formatItemId } from '#gmail/item-id';
import {
  failedMailbox,
  failedThread,
  type GmailContext,
  isThreadError,
  type OpenMailbox,
  openMailbox,
  readThread,
} from '#gmail/read-mailbox';
import { searchOf } from '#gmail/selection';
import { itemsOf, type SelectedThread } from '#gmail/thread-refs';
import { isPermanent } from '#google/directory-api';
import { failedEntry } from '#http/entries';
import { inOrder } from '#in-order';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

/** Reading a thread costs 10 of the 250 units that Gmail allows per second and user. */
export const CONCURRENT_THREADS = 4;
/** A server that repeats its page tokens would never end. */
export const MAX_PAGES = 100_000;

/** The position of a listing: the mailboxes by id, and within each the selected labels. */
const Checkpoint = z.object({
  mailbox: z.string(),
  label: z.int().min(0).default(0),
  pageToken: z.string().optional(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

function parse(from: string | undefined): Checkpoint | undefined {
  if (from === undefined) return undefined;
  try {
    return Checkpoint.safeParse(JSON.parse(from)).data;
  } catch {
    return undefined;
  }
}

/** Reads a page. Page tokens expire; then the list starts again. */
async function readPage(api: GmailApi, call: ConnectorCall, from: ThreadsFrom, resumed: boolean): Promise<ThreadPage> {
  try {
    return await api.threads(call, from);
  } catch (error) {
    if (!resumed || from.pageToken === undefined) throw error;
    if (!(error instanceof SourceError) || error.kind !== 'invalid') throw error;
    return api.threads(call, { ...from, pageToken: undefined });
  }
}

/** Returns the events of a listed thread; none if it is not selected or was deleted in the meantime. */
async function eventsOf(
  open: OpenMailbox,
  call: ConnectorCall,
  id: string,
  isListedBefore: (thread: SelectedThread) => boolean,
): Promise<readonly SourceEvent[]> {
  try {
    const selected = (await readThread(open, call, id))?.selected;
    if (selected === undefined || isListedBefore(selected)) return [];
    return itemsOf(selected).map((ref) => ({ type: 'item', ref }) as const);
  } catch (error) {
    if (!isThreadError(error)) throw error;
    return [failedThread(open.mailbox, id, error)];
  }
}

/** Lists a mailbox from a position. */
export async function* listMailbox(
  open: OpenMailbox,
  call: ConnectorCall,
  start: { readonly label: number; readonly pageToken?: string | undefined } = { label: 0 },
): AsyncGenerator<SourceEvent, void, void> {
  const { mailbox, api, labels, filter } = open;
  const lists: readonly (string | undefined)[] = labels.included ?? [undefined];
  const query = searchOf(filter, labels);
  let { pageToken } = start;
  let resumed = pageToken !== undefined;
  let pages = 0;
  for (let label = start.label; label < lists.length; label += 1) {
    const earlier = new Set(lists.slice(0, label));
    // A thread with several of the labels is in several lists. With a query, the list of a label lacks
    // a thread if another of its messages has the label, so that it can be listed again.
    const isListedBefore = ({ messages }: SelectedThread) =>
      filter.query === '' && messages.some(({ message }) => message.labelIds.some((id) => earlier.has(id)));
    do {
      const page = await readPage(api, call, { query, labelId: lists[label], pageToken }, resumed);
      resumed = false;
      for (const entry of page.threads.unreadable) {
        const id = entry.id && formatItemId({ mailbox: mailbox.id, thread: entry.id });
        yield failedEntry(entry, { id, what: `the threads of ${mailbox.email}` });
      }
      const threads = page.threads.items.map(({ id }) => id);
      for await (const events of inOrder(threads, CONCURRENT_THREADS, (id) =>
        eventsOf(open, call, id, isListedBefore),
      )) {
        yield* events;
      }
      pageToken = page.nextPageToken;
      pages += 1;
      if (pages > MAX_PAGES) {
        throw new SourceError('invalid', `Gmail returned more than ${MAX_PAGES} pages of threads.`);
      }
      if (pageToken !== undefined) {
        yield {
          type: 'checkpoint',
          at: JSON.stringify({ mailbox: mailbox.id, label, pageToken } satisfies Checkpoint),
        };
      }
    } while (pageToken !== undefined);
    if (label + 1 < lists.length) {
      yield { type: 'checkpoint', at: JSON.stringify({ mailbox: mailbox.id, label: label + 1 } satisfies Checkpoint) };
    }
  }
}

/**
 * Lists the threads of each mailbox. A mailbox that is unreadable is a failed item, and a thread
 * that changes during the listing can be missed, so the result has `confirmGone`.
 */
export async function* listThreads(
  context: GmailContext,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const { selected, failures } = await context.mailboxes.all(call);
  yield* failures;
  const start = parse(from);
  const left = start === undefined ? selected : selected.filter(({ id }) => id >= start.mailbox);
  // Another user can have authorized the connector.
  const rest = left.length === 0 ? selected : left;
  for (const [index, mailbox] of rest.entries()) {
    const isStart = mailbox.id === start?.mailbox;
    try {
      const open = await openMailbox(context, call, mailbox, { fresh: true });
      const at = { label: isStart ? start.label : 0, pageToken: isStart ? start.pageToken : undefined };
      yield* listMailbox(open, call, at);
    } catch (error) {
      if (!isPermanent(error) || error.kind === 'auth') throw error;
      yield failedMailbox(mailbox, error);
    }
    const next = rest[index + 1];
    if (next !== undefined) {
      yield { type: 'checkpoint', at: JSON.stringify({ mailbox: next.id, label: 0 } satisfies Checkpoint) };
    }
  }
  yield { type: 'complete', authoritative: true, confirmGone: true };
}
