import type { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { type Entries, type EntryOptions, entriesOf } from '#http/entries';
import type { SourceHttp } from '#http/source-http';
import { SourceError } from '#source-error';

const PAGE_SIZE = 100;

export type Query = Readonly<Record<string, string | readonly string[]>>;

interface ListRequest<T> {
  /** Below `/api/v4`, with encoded segments. */
  readonly path: string;
  readonly query?: Query;
  readonly entry: z.ZodType<T>;
  readonly id?: EntryOptions['id'];
  readonly what: string;
}

/** A page of a list, and the query of the next one. */
export interface Page<T> extends Entries<T> {
  readonly next: string | undefined;
}

export interface GitlabHttp {
  /** The address of the instance. */
  readonly base: string;
  get<T>(call: ConnectorCall, path: string, schema: z.ZodType<T>, what: string): Promise<T>;
  /** Reads the first page of a list, or the page with the query `at`. */
  page<T>(call: ConnectorCall, list: ListRequest<T>, at?: string): Promise<Page<T>>;
  /** Yields at most `maxPages` pages, and throws if there are more. */
  pages<T>(call: ConnectorCall, list: ListRequest<T>, maxPages: number, at?: string): AsyncGenerator<Page<T>, void>;
  download(call: ConnectorCall, path: string, what: string): Promise<AsyncIterable<Uint8Array>>;
  graphql<T>(call: ConnectorCall, query: string, variables: unknown, schema: z.ZodType<T>, what: string): Promise<T>;
}

function queryOf(query: Query = {}): string {
  const parameters = new URLSearchParams({ per_page: `${PAGE_SIZE}` });
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string') parameters.set(name, value);
    else for (const one of value) parameters.append(`${name}[]`, one);
  }
  return parameters.toString();
}

/**
 * Returns the query of the next page. Only the query of the link is used: requests with the token go
 * to the configured server, also if a proxy hides the name that GitLab has for itself.
 * https://docs.gitlab.com/api/rest/#pagination
 */
function nextQuery(headers: Headers, current: string): string | undefined {
  const link = /<([^<>]+)>\s*;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  if (link !== undefined) {
    const url = URL.parse(link);
    if (url !== null && url.search !== '') return url.search.slice(1);
    throw new SourceError('invalid', 'GitLab returned a malformed link to the next page.');
  }
  const page = headers.get('x-next-page')?.trim() ?? '';
  if (page === '') return undefined;
  const query = new URLSearchParams(current);
  query.set('page', page);
  return query.toString();
}

/** Creates the client of an instance. */
export function createGitlabHttp(http: SourceHttp, base: string): GitlabHttp {
  const at = (path: string) => `${base}/api/v4${path}`;

  const page: GitlabHttp['page'] = async (call, { path, query, entry, id, what }, from) => {
    const current = from ?? queryOf(query);
    const schema = entriesOf(entry, id === undefined ? {} : { id });
    const { value, headers } = await http.json(call, { url: `${at(path)}?${current}`, what }, schema);
    return { ...value, next: nextQuery(headers, current) };
  };

  return {
    base,
    page,
    get: async (call, path, schema, what) => (await http.json(call, { url: at(path), what }, schema)).value,
    async *pages(call, list, maxPages, from) {
      let next = from;
      const visited = new Set<string>();
      for (let count = 0; count < maxPages; count += 1) {
        const found = await page(call, list, next);
        yield found;
        next = found.next;
        if (next === undefined) return;
        // The page tokens of old versions are ambiguous if files have the same content.
        if (visited.has(next)) {
          throw new SourceError('invalid', `GitLab returns pages of ${list.what} repeatedly. Update GitLab.`);
        }
        visited.add(next);
      }
      throw new SourceError('invalid', `GitLab returned more than ${maxPages} pages of ${list.what}.`);
    },
    download: async (call, path, what) => {
      const headers = { accept: '*/*' };
      return (await http.download(call, { url: at(path), headers, what })).value;
    },
    graphql: async (call, query, variables, schema, what) => {
      const request = { url: `${base}/api/graphql`, method: 'POST', body: { query, variables }, what } as const;
      return (await http.json(call, request, schema)).value;
    },
  };
}
