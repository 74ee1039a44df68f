import { retry } from '@lectern/resilience';
import { z } from 'zod';
import type { Slice } from '#confluence/confluence-api';
import { atInstance, type Instance, pathOfLink } from '#confluence/instance-url';
import { SiteFault } from '#confluence/read-error';
import type { ConnectorCall } from '#connector';
import { type Entries, entriesOf, mapEntries, type UnreadableEntry, wholeList } from '#http/entries';
import type { SourceHttp } from '#http/source-http';
import { SourceError } from '#source-error';

/**
 * Sites fail with 500 on pages that are expensive to render. Below this limit, a smaller page does
 * not help.
 */
const SMALLEST_LIMIT = 10;
const LARGEST_LIMIT = 100;
/** Enough attempts to get from the largest limit to the smallest. */
const BACKOFF = { attempts: 5, minDelayMs: 100, maxDelayMs: 1_000 };

export const Id = z.union([z.string().min(1), z.number()]).transform(String);

const Links = z.object({ next: z.string().nullish(), base: z.string().nullish() }).nullish();

/** One page of a list, with the path of the next page. */
export interface ListPage<T> {
  readonly results: Entries<T>;
  readonly base: string | undefined;
  readonly next: string | undefined;
}

export interface ConfluenceHttp {
  readonly instance: Instance;
  get<T>(call: ConnectorCall, path: string, schema: z.ZodType<T>, what: string): Promise<T>;
  post<T>(call: ConnectorCall, path: string, body: unknown, schema: z.ZodType<T>, what: string): Promise<T>;
  /** Reads one page of a list: the first at `path`, others at the `next` of the previous page. */
  list<T>(call: ConnectorCall, path: string, schema: z.ZodType<T>, what: string, next?: string): Promise<ListPage<T>>;
  /**
   * Returns the whole list; only for lists known to be short. Unreadable entries are passed to
   * `skipped`; without it, the first one throws.
   */
  all<T>(
    call: ConnectorCall,
    path: string,
    schema: z.ZodType<T>,
    what: string,
    skipped?: (entry: UnreadableEntry) => void,
  ): AsyncGenerator<T, void, void>;
  download(call: ConnectorCall, url: URL, what: string): Promise<AsyncIterable<Uint8Array>>;
}

/** HTTP clients: `lists` throws `SiteFault` without retries if the site fails to render a page. */
export interface ConfluenceClients {
  readonly http: SourceHttp;
  readonly lists: SourceHttp;
}

/**
 * Creates the client of an instance: follows links as they are returned, and halves the page size
 * if the site fails on large pages.
 */
export function createConfluenceHttp(clients: ConfluenceClients, instance: Instance): ConfluenceHttp {
  const { http, lists } = clients;
  let ceiling = LARGEST_LIMIT;

  const list: ConfluenceHttp['list'] = async (call, path, schema, what, next) => {
    const url = next === undefined ? atInstance(instance, path) : new URL(next, instance.origin);
    const pageSchema = z.object({ results: entriesOf(schema), _links: Links });
    const readPage = async () => {
      const requested = Number(url.searchParams.get('limit') ?? ceiling);
      const limit = Math.min(requested > 0 ? requested : ceiling, ceiling);
      url.searchParams.set('limit', String(limit));
      try {
        const { value } = await lists.json(call, { url, what }, pageSchema);
        const link = value._links?.next ?? undefined;
        const following = link === undefined ? undefined : pathOfLink(instance, link, url);
        if (following !== undefined && following === `${url.pathname}${url.search}`) {
          throw new SourceError(
            'transient',
            `Confluence returns the same page of ${what} repeatedly. Try again later.`,
          );
        }
        return { results: value.results, base: value._links?.base ?? undefined, next: following };
      } catch (error) {
        if (error instanceof SiteFault) ceiling = Math.max(SMALLEST_LIMIT, Math.floor(limit / 2));
        throw error;
      }
    };
    const shouldRetry = (error: unknown) => error instanceof SiteFault;
    try {
      return await retry(readPage, { ...BACKOFF, shouldRetry, signal: call.signal });
    } catch (error) {
      // The error must be retryable outside of this list.
      throw error instanceof SiteFault ? new SourceError('transient', error.message, { cause: error }) : error;
    }
  };

  return {
    instance,
    list,
    get: async (call, path, schema, what) =>
      (await http.json(call, { url: atInstance(instance, path), what }, schema)).value,
    post: async (call, path, body, schema, what) =>
      (await http.json(call, { url: atInstance(instance, path), method: 'POST', body, what }, schema)).value,
    async *all(call, path, schema, what, skipped) {
      let next: string | undefined;
      do {
        const page = await list(call, path, schema, what, next);
        if (skipped === undefined) yield* wholeList(page.results, what);
        else {
          yield* page.results.items;
          page.results.unreadable.forEach(skipped);
        }
        next = page.next;
      } while (next !== undefined);
    },
    download: async (call, url, what) => (await http.download(call, { url, what })).value,
  };
}

/** Converts the entries of a list. */
export function toSlice<T extends { readonly id: string }, U>(
  list: ListPage<T>,
  make: (entry: T, base: string | undefined) => readonly U[],
): Slice<U> {
  const mapped = mapEntries(
    list.results,
    ({ id }) => id,
    (entry) => make(entry, list.base),
  );
  return { ...mapped, next: list.next };
}
