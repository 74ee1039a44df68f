import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { type Entries, entriesOf } from '#http/entries';
import type { SourceRequest } from '#http/source-http';
import { Block, Listed, listOf, type Slice } from '#notion/notion-object';
import { readNotionError } from '#notion/read-error';
import { authorizeByToken } from '#oauth/token-authorization';

export const NOTION_VERSION = '2025-09-03';
/** The largest page size that Notion allows. */
const PAGE_SIZE = 100;

const Database = z.object({ data_sources: entriesOf(z.object({ id: z.string() }), { optional: true }) });
const PageMarkdown = z.object({ markdown: z.string(), truncated: z.boolean().optional() });
const User = z.object({ name: z.string().nullish() });

/** Requests to Notion. Lists take the cursor of the previous page. */
export interface NotionApi {
  /** Returns shared pages and data sources, the last edited ones last. Search misses some. */
  search(call: ConnectorCall, cursor?: string): Promise<Slice<Listed>>;
  page(call: ConnectorCall, id: string): Promise<Listed>;
  blocks(call: ConnectorCall, parentId: string, cursor?: string): Promise<Slice<Block>>;
  dataSourcesOf(call: ConnectorCall, databaseId: string): Promise<Entries<string>>;
  rows(call: ConnectorCall, dataSourceId: string, cursor?: string): Promise<Slice<Listed>>;
  markdown(call: ConnectorCall, pageId: string): Promise<{ readonly markdown: string; readonly truncated: boolean }>;
  userName(call: ConnectorCall, id: string): Promise<string | undefined>;
}

export function createNotionApi(host: Pick<ConnectorHost, 'addresses' | 'egress' | 'tokens'>): NotionApi {
  const base = `${host.addresses.notion.replace(/\/+$/, '')}/v1`;
  const http = createSourceHttp({
    platform: 'Notion',
    fetch: host.egress.trusting([new URL(base).origin]).fetch,
    authorize: authorizeByToken(host.tokens),
    errorOf: readNotionError,
  });

  const requestJson = async <T>(call: ConnectorCall, request: SourceRequest, schema: z.ZodType<T>): Promise<T> => {
    const headers = { 'notion-version': NOTION_VERSION };
    return (await http.json({ ...call }, { ...request, headers }, schema)).value;
  };
  const slice = async <T>(call: ConnectorCall, request: SourceRequest, entry: z.ZodType<T>): Promise<Slice<T>> => {
    const { results, next_cursor, has_more = true } = await requestJson(call, request, listOf(entry));
    return {
      results: results.items,
      unreadable: results.unreadable,
      next: has_more ? (next_cursor ?? undefined) : undefined,
    };
  };
  const at = (...parts: readonly string[]) => `${base}/${parts.map(encodeURIComponent).join('/')}`;
  const from = (cursor: string | undefined) => (cursor === undefined ? {} : { start_cursor: cursor });

  return {
    search: (call, cursor) => {
      // Pages edited during the listing move to the end: they are listed twice instead of never.
      const sort = { timestamp: 'last_edited_time', direction: 'ascending' };
      const body = { page_size: PAGE_SIZE, sort, ...from(cursor) };
      return slice(call, { url: at('search'), method: 'POST', body, what: 'the list of pages' }, Listed);
    },
    page: (call, id) => requestJson(call, { url: at('pages', id), what: `the page ${id}` }, Listed),
    blocks: (call, parentId, cursor) => {
      const url = new URL(at('blocks', parentId, 'children'));
      url.searchParams.set('page_size', String(PAGE_SIZE));
      if (cursor !== undefined) url.searchParams.set('start_cursor', cursor);
      return slice(call, { url, what: `the blocks of ${parentId}` }, Block);
    },
    dataSourcesOf: async (call, databaseId) => {
      const what = `the database ${databaseId}`;
      const { data_sources } = await requestJson(call, { url: at('databases', databaseId), what }, Database);
      return { ...data_sources, items: data_sources.items.map(({ id }) => id) };
    },
    rows: (call, dataSourceId, cursor) => {
      const body = { page_size: PAGE_SIZE, ...from(cursor) };
      const url = at('data_sources', dataSourceId, 'query');
      return slice(call, { url, method: 'POST', body, what: `the rows of ${dataSourceId}` }, Listed);
    },
    markdown: async (call, pageId) => {
      const url = at('pages', pageId, 'markdown');
      const { markdown, truncated = false } = await requestJson(
        call,
        { url, what: `the text of ${pageId}` },
        PageMarkdown,
      );
      return { markdown, truncated };
    },
    userName: async (call, id) => {
      const user = await requestJson(call, { url: at('users', id), what: `the user ${id}` }, User);
      return user.name ?? undefined;
    },
  };
}
