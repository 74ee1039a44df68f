import { randomUUID } from 'node:crypto';
import type { GmailHistory, GmailMailbox, GmailMessage, GmailPart } from '#emulators/gmail/gmail-model';
import { parseSearch } from '#emulators/gmail/gmail-search';
import { checkParameters, refuse } from '#emulators/google/google-responses';
import type { PageTokens } from '#emulators/platform/page-tokens';
import { jsonResponse, type PlatformRequest, type PlatformResponse } from '#emulators/platform/platform-server';

/*
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads/list
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.threads/get
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/get
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages.attachments/get
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.labels/list
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.history/list
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users/getProfile
 */

export interface GmailState {
  readonly mailbox: GmailMailbox;
  readonly email: string;
  readonly pages: PageTokens<string>;
  readonly pageSize: number;
  /** Contents by attachment id. Each response has new ids. */
  readonly attachments: Map<string, Uint8Array>;
}

const notFound = (): never => refuse(404, 'notFound', 'Requested entity was not found.');
const invalid = (what: string): never => refuse(400, 'invalidArgument', `Invalid ${what}`);

function checkId(id: string): string {
  return /^[0-9a-f]{16}$/.test(id) ? id : invalid('id value');
}

function pageSizeOf({ query }: PlatformRequest, { pageSize }: GmailState): number {
  const size = Number(query.get('maxResults') ?? 100);
  if (!Number.isInteger(size) || size < 1 || size > 500) invalid('maxResults');
  return Math.min(size, pageSize);
}

/** The entries after the page token, in ascending order of their keys, and the token of the next page. */
function pageOf<T>(
  state: GmailState,
  request: PlatformRequest,
  listing: string,
  entries: readonly (readonly [key: string, entry: T])[],
) {
  const token = request.query.get('pageToken');
  const after = token === null ? '' : (state.pages.read(listing, token) ?? invalid('pageToken'));
  const rest = entries.filter(([key]) => key > after).sort(([a], [b]) => (a < b ? -1 : 1));
  const page = rest.slice(0, pageSizeOf(request, state));
  const last = page.at(-1)?.[0];
  const more = rest.length > page.length && last !== undefined;
  return { page: page.map(([, entry]) => entry), ...(more ? { nextPageToken: state.pages.issue(listing, last) } : {}) };
}

const base64url = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_');

function partResource(
  state: GmailState,
  part: GmailPart,
  partId: string,
  headers: Readonly<Record<string, string>>,
): object {
  const { mimeType, filename = '', content, parts } = part;
  const bytes = content === undefined ? undefined : Buffer.from(content);
  const isFile = filename !== '' || (bytes !== undefined && !mimeType.startsWith('text/'));
  const body = { size: bytes?.byteLength ?? 0 };
  let data = {};
  if (bytes !== undefined && isFile) {
    const attachmentId = `ANGjdJ_${randomUUID()}`;
    state.attachments.set(attachmentId, bytes);
    data = { attachmentId };
  } else if (bytes !== undefined) data = { data: base64url(bytes) };
  return {
    partId,
    mimeType,
    filename,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    body: { ...body, ...data },
    ...(parts === undefined
      ? {}
      : {
          parts: parts.map((inner, n) =>
            partResource(state, inner, partId === '' ? String(n) : `${partId}.${n}`, inner.headers ?? {}),
          ),
        }),
  };
}

function messageResource(state: GmailState, message: GmailMessage, format: string): object {
  const { id, threadId, labelIds, date, historyId, headers, body } = message;
  return {
    id,
    threadId,
    ...(labelIds.length > 0 ? { labelIds } : {}),
    snippet: '',
    historyId: String(historyId),
    internalDate: String(date),
    sizeEstimate: 1_000,
    ...(format === 'full' ? { payload: partResource(state, body, '', { ...headers, ...body.headers }) } : {}),
  };
}

function formatOf({ query }: PlatformRequest, known: readonly string[]): string {
  const format = query.get('format') ?? 'full';
  return known.includes(format) ? format : invalid('format');
}

export function getProfile({ mailbox, email }: GmailState, request: PlatformRequest): PlatformResponse {
  checkParameters(request, []);
  const threads = new Set([...mailbox.messages.values()].map(({ threadId }) => threadId));
  return jsonResponse(200, {
    emailAddress: email,
    messagesTotal: mailbox.messages.size,
    threadsTotal: threads.size,
    historyId: String(mailbox.historyId),
  });
}

export function listLabels({ mailbox }: GmailState, request: PlatformRequest): PlatformResponse {
  checkParameters(request, []);
  return jsonResponse(200, { labels: [...mailbox.labels.values()] });
}

export function listThreads(state: GmailState, request: PlatformRequest): PlatformResponse {
  checkParameters(request, ['q', 'labelIds', 'maxResults', 'pageToken', 'includeSpamTrash']);
  const { query } = request;
  const { mailbox } = state;
  const labelIds = query.getAll('labelIds');
  for (const id of labelIds) if (!mailbox.labels.has(id)) invalid(`label: ${id}`);
  const search = parseSearch(query.get('q') ?? '');
  const withTrash = query.get('includeSpamTrash') === 'true';
  const newest = new Map<string, GmailMessage>();
  const found = new Set<string>();
  for (const message of mailbox.messages.values()) {
    const before = newest.get(message.threadId);
    if (before === undefined || before.date < message.date) newest.set(message.threadId, message);
    const isHidden = !withTrash && ['SPAM', 'TRASH'].some((label) => message.labelIds.includes(label));
    if (!isHidden && labelIds.every((id) => message.labelIds.includes(id)) && search(message))
      found.add(message.threadId);
  }
  const entries = [...found].map((id) => {
    const { date = 0, historyId = 0 } = newest.get(id) ?? {};
    // Newest first: a thread with a new message moves to the first page.
    return [`${String(9e15 - date)} ${id}`, { id, snippet: '', historyId: String(historyId) }] as const;
  });
  const listing = `threads ${state.email} ${query.get('q')} ${labelIds}`;
  const { page: threads, ...next } = pageOf(state, request, listing, entries);
  return jsonResponse(200, { ...(threads.length > 0 ? { threads } : {}), ...next, resultSizeEstimate: entries.length });
}

export function getThread(state: GmailState, request: PlatformRequest, id: string): PlatformResponse {
  checkParameters(request, ['format', 'metadataHeaders']);
  // Unlike for a message, the format `raw` does not exist.
  const format = formatOf(request, ['full', 'metadata', 'minimal']);
  const messages = state.mailbox.thread(checkId(id));
  if (messages.length === 0) notFound();
  const historyId = Math.max(...messages.map((message) => message.historyId));
  return jsonResponse(200, {
    id,
    historyId: String(historyId),
    messages: messages.map((message) => messageResource(state, message, format)),
  });
}

export function getMessage(state: GmailState, request: PlatformRequest, id: string): PlatformResponse {
  checkParameters(request, ['format', 'metadataHeaders']);
  const format = formatOf(request, ['full', 'metadata', 'minimal', 'raw']);
  return jsonResponse(200, messageResource(state, state.mailbox.messages.get(checkId(id)) ?? notFound(), format));
}

export function getAttachment(
  { mailbox, attachments }: GmailState,
  request: PlatformRequest,
  { message, id }: { readonly message: string; readonly id: string },
): PlatformResponse {
  checkParameters(request, []);
  if (!mailbox.messages.has(checkId(message))) notFound();
  const content = attachments.get(id) ?? invalid('attachment token');
  return jsonResponse(200, { size: content.byteLength, data: base64url(content) });
}

const TYPES: Readonly<Record<string, GmailHistory['change']>> = {
  messageAdded: 'messagesAdded',
  messageDeleted: 'messagesDeleted',
  labelAdded: 'labelsAdded',
  labelRemoved: 'labelsRemoved',
};

export function listHistory(state: GmailState, request: PlatformRequest): PlatformResponse {
  checkParameters(request, ['startHistoryId', 'maxResults', 'pageToken', 'labelId', 'historyTypes']);
  const { query } = request;
  const { mailbox } = state;
  const start = Number(query.get('startHistoryId') ?? invalid('startHistoryId'));
  if (!Number.isSafeInteger(start) || start < mailbox.oldestHistory || start > mailbox.historyId) notFound();
  const types = query.getAll('historyTypes').map((type) => TYPES[type] ?? invalid('historyTypes'));
  const entries = mailbox.history
    .filter(({ id, change }) => id > start && (types.length === 0 || types.includes(change)))
    .map(({ id, change, message, labelIds }) => {
      const { id: messageId, threadId } = message;
      const changed = {
        message: { id: messageId, threadId, labelIds: message.labelIds },
        ...(change.startsWith('labels') ? { labelIds } : {}),
      };
      const entry = { id: String(id), messages: [{ id: messageId, threadId }], [change]: [changed] };
      return [String(id).padStart(20, '0'), entry] as const;
    });
  const { page: history, ...next } = pageOf(state, request, `history ${state.email} ${start}`, entries);
  return jsonResponse(200, {
    ...(history.length > 0 ? { history } : {}),
    ...next,
    historyId: String(mailbox.historyId),
  });
}
