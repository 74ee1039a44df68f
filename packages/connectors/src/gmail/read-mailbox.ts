import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { GmailApi } from '#gmail/gmail-api';
import type { Message, Thread } from '#gmail/gmail-schemas';
import { formatItemId, type GmailItem } from '#gmail/item-id';
import type { Mailbox, Mailboxes } from '#gmail/mailboxes';
import { type MailboxLabels, mailboxLabels, matchesQuery, selectMessages, type ThreadFilter } from '#gmail/selection';
import { readMessages, type SelectedThread } from '#gmail/thread-refs';
import { wholeList } from '#http/entries';
import { orNull } from '#http/or-null';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

const CACHE_MS = 60_000;
const MAX_MAILBOXES = 1_000;

/** What all calls of a connector share. */
export interface GmailContext {
  readonly mailboxes: Mailboxes;
  readonly filter: ThreadFilter;
  /** The labels of a mailbox, cached for a minute; `fresh` reads them again. */
  labels(call: ConnectorCall, mailbox: Mailbox, options?: { readonly fresh?: boolean }): Promise<MailboxLabels>;
}

export function createGmailContext(mailboxes: Mailboxes, filter: ThreadFilter): GmailContext {
  const cache = createCache<string, MailboxLabels>({ maxEntries: MAX_MAILBOXES, ttlMs: CACHE_MS });
  return {
    mailboxes,
    filter,
    labels: async (call, mailbox, { fresh = false } = {}) => {
      const cached = fresh ? undefined : cache.get(mailbox.id);
      if (cached !== undefined) return cached;
      const labels = mailboxLabels(await mailboxes.open(mailbox).labels(call), filter);
      cache.set(mailbox.id, labels);
      return labels;
    },
  };
}

/** A mailbox that is being read. */
export interface OpenMailbox {
  readonly mailbox: Mailbox;
  readonly api: GmailApi;
  readonly labels: MailboxLabels;
  readonly filter: ThreadFilter;
}

export async function openMailbox(
  context: GmailContext,
  call: ConnectorCall,
  mailbox: Mailbox,
  options?: { readonly fresh?: boolean },
): Promise<OpenMailbox> {
  const labels = await context.labels(call, mailbox, options);
  return { mailbox, api: context.mailboxes.open(mailbox), labels, filter: context.filter };
}

/** A thread as Gmail returns it. */
export interface FoundThread {
  /** The messages that exist, whether or not they are selected. */
  readonly all: readonly Message[];
  /** Undefined if the thread does not become a document. Its messages can still be of no match for the query. */
  readonly selected: SelectedThread | undefined;
}

/** Reads a thread; null if it does not exist. Throws if a message is unreadable: it would be missing from the text. */
export async function readThread(
  { mailbox, api, labels, filter }: OpenMailbox,
  call: ConnectorCall,
  id: string,
): Promise<FoundThread | null> {
  const thread: Thread | null = await orNull(api.thread(call, id));
  if (thread === null) return null;
  const all = wholeList(thread.messages, `the thread ${id}`);
  const messages = selectMessages(all, labels, filter);
  return {
    all,
    selected: messages.length === 0 ? undefined : { mailbox, id, messages: readMessages(messages), labels },
  };
}

/** Returns true if a selected thread also matches the query. */
export const matches = (
  { api, filter, labels }: OpenMailbox,
  call: ConnectorCall,
  thread: SelectedThread,
): Promise<boolean> =>
  matchesQuery(api, call, { id: thread.id, messages: thread.messages.map(({ message }) => message) }, filter, labels);

/** Returns the mailbox of an item; undefined if it is not selected. Throws `forbidden` if it is unreadable. */
export async function mailboxOf(context: GmailContext, call: ConnectorCall, item: GmailItem) {
  const found = await context.mailboxes.find(call, item.mailbox);
  if (found === undefined) return undefined;
  const { mailbox, inactive } = found;
  if (!inactive) return openMailbox(context, call, mailbox);
  throw new SourceError('forbidden', `The user ${mailbox.email} is suspended or archived. The document stays.`);
}

/** An error of one thread that does not concern its mailbox. */
export const isThreadError = (error: unknown): boolean =>
  error instanceof RangeError ||
  (error instanceof SourceError && (error.kind === 'invalid' || error.kind === 'too_large'));

export function failedThread({ id: mailbox, email }: Mailbox, thread: string, error: unknown): SourceEvent {
  const { kind, message } =
    error instanceof SourceError
      ? error
      : { kind: 'invalid', message: 'The thread is nested too deeply. Delete the message in Gmail.' };
  const id = formatItemId({ mailbox, thread });
  return { type: 'failed', id, path: `${email}/${thread}`, error: { code: kind, message } };
}

/** An unreadable mailbox fails alone: its documents are requested before any is deleted, which fails too. */
export function failedMailbox({ id, email }: Mailbox, error: SourceError): SourceEvent {
  const message = `The mailbox ${email} could not be read, and its documents stay as they are: ${error.message}`;
  return { type: 'failed', id, path: email, error: { code: error.kind, message } };
}
