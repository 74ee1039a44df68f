import type { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import type { SourceResponse } from '#http/source-http';
import { readSlackError } from '#slack/slack-error';
import { SourceError } from '#source-error';

/** The page size that Slack recommends. Slack limits some apps to 15. */
const PAGE = 200;

type Parameters = Readonly<Record<string, string>>;

interface Paged {
  readonly response_metadata?: { readonly next_cursor?: string | null | undefined } | null | undefined;
}

export interface SlackApi {
  request<T>(
    call: ConnectorCall,
    method: string,
    parameters: Parameters,
    schema: z.ZodType<T>,
  ): Promise<SourceResponse<T>>;
  /** Returns one page of a method with cursors; `next` is absent after the last one. */
  page<T extends Paged>(
    call: ConnectorCall,
    method: string,
    parameters: Parameters,
    schema: z.ZodType<T>,
    cursor?: string,
  ): Promise<{ readonly page: T; readonly next: string | undefined }>;
  /** Yields all pages, one after the other. */
  pages<T extends Paged>(
    call: ConnectorCall,
    method: string,
    parameters: Parameters,
    schema: z.ZodType<T>,
  ): AsyncGenerator<T, void, void>;
  /** Downloads a file that is stored at Slack. */
  download(call: ConnectorCall, url: string, what: string): Promise<SourceResponse<AsyncIterable<Uint8Array>>>;
}

const OWN_HOSTS = /(^|\.)(slack\.com|slack-gov\.com|slack-files\.com)$/;

/**
 * Creates a client of Slack's Web API with guarded requests. The official client (`@slack/web-api`)
 * is unsuitable: it queues requests, waits for minutes and opens its own connections.
 */
export function createSlackApi(token: string, host: Pick<ConnectorHost, 'egress' | 'addresses'>): SlackApi {
  const base = new URL(host.addresses.slack.replace(/\/*$/, '/'));
  const headers = { authorization: `Bearer ${token}` };
  const http = createSourceHttp({
    fetch: host.egress.trusting([base.origin]).fetch,
    platform: 'Slack',
    errorOf: readSlackError,
  });

  const request: SlackApi['request'] = (call, method, parameters, schema) =>
    http.json(
      call,
      { url: new URL(method, base), method: 'POST', headers, body: new URLSearchParams(parameters), what: method },
      schema,
    );

  const page: SlackApi['page'] = async (call, method, parameters, schema, cursor) => {
    const query = { limit: String(PAGE), ...parameters, ...(cursor === undefined ? {} : { cursor }) };
    const { value } = await request(call, method, query, schema);
    const next = value.response_metadata?.next_cursor || undefined;
    if (next !== undefined && next === cursor) {
      throw new SourceError('transient', `Slack returns the same page of ${method} repeatedly. Try again later.`);
    }
    return { page: value, next };
  };

  return {
    request,
    page,
    async *pages(call, method, parameters, schema) {
      let cursor: string | undefined;
      do {
        const result = await page(call, method, parameters, schema, cursor);
        yield result.page;
        cursor = result.next;
      } while (cursor !== undefined);
    },
    download: async (call, address, what) => {
      const url = URL.parse(address);
      const isOwn =
        url !== null && (url.origin === base.origin || (url.protocol === 'https:' && OWN_HOSTS.test(url.hostname)));
      // The address comes from a message; the token is sent only to Slack.
      if (!isOwn) throw new SourceError('invalid', `${what} is not stored in Slack, so it cannot be synced.`);
      return http.download(call, { url, headers, what });
    },
  };
}
