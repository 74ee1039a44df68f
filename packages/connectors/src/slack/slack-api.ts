import type { z } from 'zod';
import type { ConnectorCall } from '../connector.ts';
import type { ConnectorHost } from '../host.ts';
import { createSourceHttp } from '../http/create-source-http.ts';
import type { SourceAnswer } from '../http/source-http.ts';
import { SourceError } from '../source-error.ts';
import { readSlackError } from './slack-error.ts';

/** The size that Slack recommends; it limits some apps to 15. */
const PAGE = 200;

type Parameters = Readonly<Record<string, string>>;

interface Paged {
  readonly response_metadata?: { readonly next_cursor?: string | null | undefined } | null | undefined;
}

export interface SlackApi {
  ask<T>(call: ConnectorCall, method: string, parameters: Parameters, schema: z.ZodType<T>): Promise<SourceAnswer<T>>;
  /** One page of a method with cursors; `next` is absent after the last one. */
  page<T extends Paged>(
    call: ConnectorCall,
    method: string,
    parameters: Parameters,
    schema: z.ZodType<T>,
    cursor?: string,
  ): Promise<{ readonly page: T; readonly next: string | undefined }>;
  /** All pages, one after the other. */
  pages<T extends Paged>(
    call: ConnectorCall,
    method: string,
    parameters: Parameters,
    schema: z.ZodType<T>,
  ): AsyncGenerator<T, void, void>;
  /** Downloads a file that is stored at Slack. */
  download(call: ConnectorCall, url: string, what: string): Promise<SourceAnswer<AsyncIterable<Uint8Array>>>;
}

const OWN_HOSTS = /(^|\.)(slack\.com|slack-gov\.com|slack-files\.com)$/;

/**
 * Slack's Web API through guarded requests. The official client (`@slack/web-api`) queues requests, waits
 * for minutes and opens its own connections, none of which fits here.
 */
export function createSlackApi(token: string, host: Pick<ConnectorHost, 'egress' | 'addresses'>): SlackApi {
  const base = new URL(host.addresses.slack.replace(/\/*$/, '/'));
  const headers = { authorization: `Bearer ${token}` };
  const http = createSourceHttp({
    fetch: host.egress.trusting([base.origin]).fetch,
    platform: 'Slack',
    errorOf: readSlackError,
  });

  const ask: SlackApi['ask'] = (call, method, parameters, schema) =>
    http.json(
      call,
      { url: new URL(method, base), method: 'POST', headers, body: new URLSearchParams(parameters), what: method },
      schema,
    );

  const page: SlackApi['page'] = async (call, method, parameters, schema, cursor) => {
    const asked = { limit: String(PAGE), ...parameters, ...(cursor === undefined ? {} : { cursor }) };
    const { value } = await ask(call, method, asked, schema);
    const next = value.response_metadata?.next_cursor || undefined;
    if (next !== undefined && next === cursor) {
      throw new SourceError('transient', `Slack returns the same page of ${method} repeatedly. Try again later.`);
    }
    return { page: value, next };
  };

  return {
    ask,
    page,
    async *pages(call, method, parameters, schema) {
      let cursor: string | undefined;
      do {
        const answer = await page(call, method, parameters, schema, cursor);
        yield answer.page;
        cursor = answer.next;
      } while (cursor !== undefined);
    },
    download: async (call, address, what) => {
      const url = URL.parse(address);
      const isOwn =
        url !== null && (url.origin === base.origin || (url.protocol === 'https:' && OWN_HOSTS.test(url.hostname)));
      // The address comes from a message; the token is sent only to Slack.
      if (!isOwn) throw new SourceError('invalid', `${what} is not stored at Slack, so it is not read.`);
      return http.download(call, { url, headers, what });
    },
  };
}
