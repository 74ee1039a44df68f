import type { ConnectorCall } from '#connector';
import type { GmailApi, ThreadsFrom } from '#gmail/gmail-api';
import type { Label, Message, Thread } from '#gmail/gmail-schemas';
import { readParts } from '#gmail/message-parts';
import { type Entries, wholeList } from '#http/entries';
import { SourceError } from '#source-error';

/** Which threads of a mailbox become documents. */
export interface ThreadFilter {
  /** Names or ids of labels, of which a thread has one; empty for all threads. */
  readonly labels: readonly string[];
  /** Names or ids of labels of which a thread has none. */
  readonly excludeLabels: readonly string[];
  /** A search of Gmail; empty for all threads. */
  readonly query: string;
  /** Milliseconds since 1970; earlier messages are left out. */
  readonly sinceMs: number | undefined;
}

/** Advertising and notifications of social networks, by their categories in Gmail. */
export const DEFAULT_EXCLUDED: readonly string[] = ['CATEGORY_PROMOTIONS', 'CATEGORY_SOCIAL'];

/** Messages that are never read: deleted, unwanted or unfinished ones, and those of chats. */
const NEVER: ReadonlySet<string> = new Set(['SPAM', 'TRASH', 'DRAFT', 'CHAT']);

/** The labels of one mailbox. */
export interface MailboxLabels {
  /** The ids of the selected labels that the mailbox has; undefined for all threads. */
  readonly included: readonly string[] | undefined;
  readonly excluded: ReadonlySet<string>;
  /** The names of the user's own labels by id. */
  readonly names: ReadonlyMap<string, string>;
}

/** Finds labels by name, ignoring case, or by id. Throws if a label that matters could be unreadable. */
export function mailboxLabels(found: Entries<Label>, { labels, excludeLabels }: ThreadFilter): MailboxLabels {
  const needsAll = [...labels, ...excludeLabels].some((label) => !DEFAULT_EXCLUDED.includes(label));
  const list = needsAll ? wholeList(found, 'the labels') : found.items;
  const idsOf = (wanted: readonly string[]) =>
    wanted.flatMap((label) => {
      const matches = list.filter(({ id, name }) => id === label || name.toLowerCase() === label.toLowerCase());
      // Categories exist in each mailbox, even if Gmail does not list them.
      return label.startsWith('CATEGORY_') ? [label] : matches.map(({ id }) => id);
    });
  return {
    included: labels.length === 0 ? undefined : [...new Set(idsOf(labels))],
    excluded: new Set(idsOf(excludeLabels)),
    names: new Map(list.flatMap(({ id, name, type }) => (type === 'user' ? [[id, name]] : []))),
  };
}

export const dateOf = ({ internalDate }: Message): number => Number(internalDate);

/**
 * Returns the messages of a thread that become its document, oldest first; empty if the thread is
 * not selected. Does not evaluate the query.
 */
export function selectMessages(
  messages: readonly Message[],
  { included, excluded }: MailboxLabels,
  { sinceMs = 0 }: ThreadFilter,
): readonly Message[] {
  const live = messages
    .filter((message) => dateOf(message) >= sinceMs && !message.labelIds.some((label) => NEVER.has(label)))
    .sort((a, b) => dateOf(a) - dateOf(b) || (a.id < b.id ? -1 : 1));
  const labels = new Set(live.flatMap(({ labelIds }) => labelIds));
  if ([...excluded].some((label) => labels.has(label))) return [];
  return included === undefined || included.some((label) => labels.has(label)) ? live : [];
}

/** Returns the search that each listed thread must match with one message; undefined for none. */
export function searchOf(
  { query, sinceMs }: ThreadFilter,
  { excluded }: Pick<MailboxLabels, 'excluded'>,
): string | undefined {
  const terms = [
    ...(query === '' ? [] : [`(${query})`]),
    ...(sinceMs === undefined ? [] : [`after:${Math.max(0, Math.floor(sinceMs / 1_000) - 1)}`]),
    // Only saves requests: the labels of each thread are checked.
    ...[...excluded].flatMap((label) => {
      const category = /^CATEGORY_(PROMOTIONS|SOCIAL|UPDATES|FORUMS)$/.exec(label)?.[1];
      return category === undefined ? [] : [`-category:${category.toLowerCase()}`];
    }),
  ];
  return terms.length === 0 ? undefined : terms.join(' ');
}

/** Messages of a thread that are searched for in one request. */
const IDS_PER_SEARCH = 20;
/** Pages of a search that names no message; it finds what arrived within a few seconds. */
const MAX_SEARCH_PAGES = 20;

/** Searches that together find all messages, and little else. */
function searchesFor(messages: readonly Message[]): readonly string[] {
  const ids: string[] = [];
  const seconds = new Set<number>();
  for (const message of messages) {
    const header = readParts(message.payload).header('message-id');
    const id = /^<?([^\s<>(){}"]{1,500})>?$/.exec(header)?.[1];
    if (id !== undefined) ids.push(id);
    // A search cannot name other ids.
    else seconds.add(Math.floor(dateOf(message) / 1_000));
  }
  const searches: string[] = [];
  for (let at = 0; at < ids.length; at += IDS_PER_SEARCH) {
    const named = ids.slice(at, at + IDS_PER_SEARCH).map((id) => `rfc822msgid:${id}`);
    searches.push(`{${named.join(' ')}}`);
  }
  for (const second of seconds) searches.push(`after:${Math.max(0, second - 1)} before:${second + 2}`);
  return searches;
}

/** Returns true if a search finds a thread. */
async function finds(api: GmailApi, call: ConnectorCall, id: string, from: ThreadsFrom): Promise<boolean> {
  let pageToken: string | undefined;
  for (let pages = 0; pages < MAX_SEARCH_PAGES; pages += 1) {
    const page = await api.threads(call, { ...from, pageToken });
    if (wholeList(page.threads, 'the found threads').some((thread) => thread.id === id)) return true;
    if (page.nextPageToken === undefined) return false;
    pageToken = page.nextPageToken;
  }
  throw new SourceError('invalid', `Gmail finds too many messages that arrived at the same time as the thread ${id}.`);
}

/**
 * Returns true if Gmail finds one of the messages with the query. Messages are named by their
 * `Message-ID`, because a search cannot name a thread, and else by their time.
 */
export async function matchesQuery(
  api: GmailApi,
  call: ConnectorCall,
  { id, messages }: { readonly id: Thread['id']; readonly messages: readonly Message[] },
  { query }: ThreadFilter,
  { included = [undefined] }: { readonly included?: readonly (string | undefined)[] | undefined },
): Promise<boolean> {
  if (query === '') return true;
  for (const search of searchesFor(messages)) {
    // As in the listing, one message has both the label and what the query asks for.
    for (const labelId of included) {
      if (await finds(api, call, id, { query: `(${query}) ${search}`, labelId })) return true;
    }
  }
  return false;
}
