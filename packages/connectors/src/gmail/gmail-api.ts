import type { z } from 'zod';
import type { ConnectorCall } from '#connector';
import {
  AttachmentBody,
  HistoryPage,
  type Label,
  LabelList,
  Message,
  Profile,
  Thread,
  ThreadPage,
} from '#gmail/gmail-schemas';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import type { Entries } from '#http/entries';
import type { SourceHttpOptions } from '#http/source-http';

/** Threads per page. The listing can resume after each page. */
const THREADS_PER_PAGE = 100;
const RECORDS_PER_PAGE = 500;

export interface ThreadsFrom {
  readonly query?: string | undefined;
  readonly labelId?: string | undefined;
  readonly pageToken?: string | undefined;
}

/**
 * Requests to one mailbox.
 * https://developers.google.com/workspace/gmail/api/reference/rest
 */
export interface GmailApi {
  profile(call: ConnectorCall): Promise<Profile>;
  labels(call: ConnectorCall): Promise<Entries<Label>>;
  /** Threads without their messages, newest first; none in spam or trash. */
  threads(call: ConnectorCall, from: ThreadsFrom): Promise<ThreadPage>;
  thread(call: ConnectorCall, id: string): Promise<Thread>;
  message(call: ConnectorCall, id: string): Promise<Message>;
  /** Returns the content as base64url. */
  attachment(call: ConnectorCall, messageId: string, attachmentId: string): Promise<string>;
  history(call: ConnectorCall, from: { start: string; pageToken?: string | undefined }): Promise<HistoryPage>;
}

export interface GmailApiOptions {
  readonly authorize: NonNullable<SourceHttpOptions['authorize']>;
  readonly errorOf: NonNullable<SourceHttpOptions['errorOf']>;
  /** Changes the error that a request ends with. */
  readonly translate?: (error: unknown) => unknown;
}

export function createGmailApi(
  host: Pick<ConnectorHost, 'addresses' | 'egress'>,
  { authorize, errorOf, translate = (error) => error }: GmailApiOptions,
): GmailApi {
  const base = `${host.addresses.gmail.replace(/\/+$/, '')}/gmail/v1/users/me`;
  const http = createSourceHttp({
    platform: 'Gmail',
    fetch: host.egress.trusting([new URL(base).origin]).fetch,
    authorize,
    errorOf,
  });

  const get = async <T>(
    call: ConnectorCall,
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    schema: z.ZodType<T>,
    what: string,
  ): Promise<T> => {
    const url = new URL(`${base}/${path}`);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    try {
      return (await http.json({ ...call }, { url, what }, schema)).value;
    } catch (error) {
      throw translate(error);
    }
  };
  const full = { format: 'full' };

  return {
    profile: (call) => get(call, 'profile', {}, Profile, 'the mailbox'),
    labels: async (call) => (await get(call, 'labels', {}, LabelList, 'the labels')).labels,
    threads: (call, { query: q, labelId: labelIds, pageToken }) =>
      get(
        call,
        'threads',
        { q, labelIds, pageToken, maxResults: String(THREADS_PER_PAGE) },
        ThreadPage,
        'the list of threads',
      ),
    thread: (call, id) => get(call, `threads/${encodeURIComponent(id)}`, full, Thread, `the thread ${id}`),
    message: (call, id) => get(call, `messages/${encodeURIComponent(id)}`, full, Message, `the message ${id}`),
    attachment: async (call, messageId, attachmentId) => {
      const path = `messages/${encodeURIComponent(messageId)}/attachments/${encodeURIComponent(attachmentId)}`;
      return (await get(call, path, {}, AttachmentBody, 'the attachment')).data;
    },
    history: (call, { start, pageToken }) => {
      const query = { startHistoryId: start, maxResults: String(RECORDS_PER_PAGE), pageToken };
      return get(call, 'history', query, HistoryPage, 'the history of the mailbox');
    },
  };
}
