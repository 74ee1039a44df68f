import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { History } from '#gmail/gmail-schemas';
import { formatItemId, MAX_ATTACHMENTS } from '#gmail/item-id';
import { CONCURRENT_THREADS, listMailbox, MAX_PAGES } from '#gmail/list-threads';
import type { Mailbox } from '#gmail/mailboxes';
import {
  failedMailbox,
  failedThread,
  type GmailContext,
  isThreadError,
  matches,
  type OpenMailbox,
  openMailbox,
  readThread,
} from '#gmail/read-mailbox';
import type { MailboxLabels } from '#gmail/selection';
import { itemsOf } from '#gmail/thread-refs';
import { isPermanent } from '#google/directory-api';
import { wholeList } from '#http/entries';
import { inOrder } from '#in-order';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

// https://developers.google.com/workspace/gmail/api/guides/sync

/** Positions for more mailboxes would not fit into the state of a connector. */
const MAX_MAILBOXES = 1_000;
/** Labels that change when a message is read, starred or archived, and that no document shows. */
const SILENT: ReadonlySet<string> = new Set(['UNREAD', 'STARRED', 'IMPORTANT', 'INBOX']);

/** The position in the history of each mailbox; null for one that could not be read. */
const Position = z.object({
  email: z.string(),
  at: z.string().nullable(),
  /** A hash of the labels that select threads. */
  selection: z.string().default(''),
  /** Short hashes of the user's labels, which documents show. */
  names: z.string().default(''),
});
type Position = z.infer<typeof Position>;
/** With the filter at that time: another one selects other threads. */
const Cursor = z.object({ filter: z.string(), mailboxes: z.record(z.string(), Position) });
type Cursor = z.infer<typeof Cursor>;

const fullSyncNeeded = (message: string, cause?: unknown) =>
  new SourceError('gone', `${message} A full sync is needed.`, { cause });

const hashOf = (value: unknown, chars: number): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, chars);

const NAME_CHARS = 4;
/** Bounds the state of a connector. */
const MAX_NAMES = 500;

const selectionOf = ({ included, excluded }: MailboxLabels): string =>
  hashOf([included?.toSorted() ?? null, [...excluded].sort()], 12);

const namesOf = ({ names }: MailboxLabels): readonly string[] =>
  [...names].map((label) => hashOf(label, NAME_CHARS)).sort();

const shownNames = (labels: MailboxLabels): string => namesOf(labels).slice(0, MAX_NAMES).join('');

/** True if one of the labels was renamed or deleted. The history does not mention it; a new label is on no message. */
function lacksNames(before: string, labels: MailboxLabels): boolean {
  const now = new Set(namesOf(labels));
  return before.match(new RegExp(`.{${NAME_CHARS}}`, 'g'))?.some((name) => !now.has(name)) === true;
}

async function positionOf(context: GmailContext, call: ConnectorCall, mailbox: Mailbox): Promise<Position> {
  const { email } = mailbox;
  try {
    const { api, labels } = await openMailbox(context, call, mailbox, { fresh: true });
    const { historyId: at } = await api.profile(call);
    return { email, at, selection: selectionOf(labels), names: shownNames(labels) };
  } catch (error) {
    if (!isPermanent(error) || error.kind === 'auth') throw error;
    return { email, at: null, selection: '', names: '' };
  }
}

/** Returns the current position of each history. */
export async function readCursor(context: GmailContext, call: ConnectorCall): Promise<string> {
  const { selected } = await context.mailboxes.all(call);
  if (selected.length > MAX_MAILBOXES) {
    throw new SourceError('invalid', `The changes of more than ${MAX_MAILBOXES} mailboxes cannot be followed.`);
  }
  const mailboxes: Record<string, Position> = {};
  const positions = inOrder(selected, CONCURRENT_THREADS, async (mailbox) => ({
    id: mailbox.id,
    position: await positionOf(context, call, mailbox),
  }));
  for await (const { id, position } of positions) mailboxes[id] = position;
  return JSON.stringify({ filter: JSON.stringify(context.filter), mailboxes } satisfies Cursor);
}

function parse(from: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(from));
  } catch (error) {
    throw fullSyncNeeded('The position in the history is invalid.', error);
  }
}

/** Collects the messages that records mention, by thread. */
function changedThreads(
  records: readonly History[],
  matters: (labelIds: readonly string[]) => boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  const threads = new Map<string, Set<string>>();
  for (const { messagesAdded, messagesDeleted, labelsAdded, labelsRemoved } of records) {
    const labeled = [...labelsAdded, ...labelsRemoved].filter(({ labelIds }) => matters(labelIds));
    for (const { message } of [...messagesAdded, ...messagesDeleted, ...labeled]) {
      const messages = threads.get(message.threadId) ?? new Set();
      threads.set(message.threadId, messages.add(message.id));
    }
  }
  return threads;
}

/** Any number of attachments of a message that is gone may be in the index. */
function* goneAttachments(mailbox: Mailbox, thread: string, message: string): Generator<SourceEvent, void, void> {
  for (let number = 1; number <= MAX_ATTACHMENTS; number += 1) {
    yield { type: 'gone', id: formatItemId({ mailbox: mailbox.id, thread, attachment: { message, number } }) };
  }
}

/** Returns the current items of a changed thread, and those that are gone. */
async function eventsOf(
  open: OpenMailbox,
  call: ConnectorCall,
  thread: string,
  mentioned: ReadonlySet<string>,
): Promise<readonly SourceEvent[]> {
  const { mailbox } = open;
  try {
    const found = await readThread(open, call, thread);
    const selected = found?.selected;
    const isSelected = selected !== undefined && (await matches(open, call, selected));
    const kept = new Set(isSelected ? selected.messages.map(({ message }) => message.id) : []);
    const messages = new Set([...mentioned, ...(found?.all.map(({ id }) => id) ?? [])]);
    const events: SourceEvent[] = isSelected
      ? itemsOf(selected).map((ref) => ({ type: 'item', ref }) as const)
      : [{ type: 'gone', id: formatItemId({ mailbox: mailbox.id, thread }) }];
    for (const message of messages) if (!kept.has(message)) events.push(...goneAttachments(mailbox, thread, message));
    return events;
  } catch (error) {
    if (!isThreadError(error)) throw error;
    return [failedThread(mailbox, thread, error)];
  }
}

interface ReachedPosition {
  readonly type: 'position';
  readonly at: string;
  readonly hasRecords: boolean;
}

/** Reads the history of a mailbox. Yields the new position after each page with records, and at the end. */
async function* readHistory(
  open: OpenMailbox,
  call: ConnectorCall,
  start: string,
): AsyncGenerator<SourceEvent | ReachedPosition, void, void> {
  const { api, labels, filter } = open;
  const watched = new Set([...(labels.included ?? []), ...labels.excluded]);
  const matters = (labelIds: readonly string[]) =>
    filter.query !== '' || labelIds.some((label) => !SILENT.has(label) || watched.has(label));
  let pageToken: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const page = await api.history(call, { start, pageToken }).catch((error: unknown) => {
      const isGone = error instanceof SourceError && error.kind === 'gone';
      throw isGone ? fullSyncNeeded('Gmail no longer has the history of a mailbox.', error) : error;
    });
    const records = wholeList(page.history, 'the history');
    const threads = [...changedThreads(records, matters)];
    for await (const events of inOrder(threads, CONCURRENT_THREADS, ([thread, messages]) =>
      eventsOf(open, call, thread, messages),
    )) {
      yield* events;
    }
    pageToken = page.nextPageToken;
    const at = pageToken === undefined ? page.historyId : records.at(-1)?.id;
    if (at !== undefined) yield { type: 'position', at, hasRecords: records.length > 0 };
    if (pageToken === undefined) return;
  }
  throw new SourceError('invalid', `Gmail returned more than ${MAX_PAGES} pages of the history.`);
}

/** Lists a mailbox again: its documents show other names of labels. */
async function* relist(open: OpenMailbox, call: ConnectorCall): AsyncGenerator<SourceEvent, void, void> {
  for await (const event of listMailbox(open, call)) if (event.type !== 'checkpoint') yield event;
}

/**
 * Reads the histories since a cursor. Throws `gone` if Gmail has dropped a history, or if the
 * selected mailboxes changed: only a full listing finds what is to be deleted then.
 */
export async function* readChanges(
  context: GmailContext,
  call: ConnectorCall,
  from: string,
): AsyncGenerator<SourceEvent, void, void> {
  const cursor = parse(from);
  let { mailboxes } = cursor;
  if (cursor.filter !== JSON.stringify(context.filter)) throw fullSyncNeeded('The filter of the threads changed.');
  const { selected, failures } = await context.mailboxes.all(call);
  yield* failures;
  const hasMoved = ({ id, email }: Mailbox) => mailboxes[id]?.email !== email;
  if (selected.length !== Object.keys(mailboxes).length || selected.some(hasMoved)) {
    // The readers of all documents of a mailbox with another address change.
    throw fullSyncNeeded('A mailbox was added or removed, or has another address.');
  }
  const checkpoint = () => ({ type: 'checkpoint', at: JSON.stringify({ ...cursor, mailboxes }) }) as const;
  for (const mailbox of selected) {
    const start = mailboxes[mailbox.id];
    try {
      const open = await openMailbox(context, call, mailbox, { fresh: true });
      if (start?.at == null) throw fullSyncNeeded('A mailbox that could not be read is readable again.');
      const selection = selectionOf(open.labels);
      if (selection !== start.selection) throw fullSyncNeeded('The labels that select threads changed in a mailbox.');
      if (lacksNames(start.names, open.labels)) yield* relist(open, call);
      const names = shownNames(open.labels);
      for await (const event of readHistory(open, call, start.at)) {
        if (event.type !== 'position') yield event;
        else {
          mailboxes = { ...mailboxes, [mailbox.id]: { email: mailbox.email, at: event.at, selection, names } };
          // It has the positions of all mailboxes.
          if (event.hasRecords) yield checkpoint();
        }
      }
    } catch (error) {
      const isMailboxError = isPermanent(error) && error.kind !== 'auth' && error.kind !== 'gone';
      if (!isMailboxError) throw error;
      yield failedMailbox(mailbox, error);
    }
  }
  if (mailboxes !== cursor.mailboxes) yield checkpoint();
  yield { type: 'complete', authoritative: false };
}
