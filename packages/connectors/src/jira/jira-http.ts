import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { type Entries, entriesOf } from '#http/entries';
import type { SourceHttp } from '#http/source-http';
import { atInstance, type Instance } from '#jira/instance-url';
import { SourceError } from '#source-error';

const PAGE_SIZE = 100;
/** More pages than any list of people, groups or projects has. */
const MAX_PAGES = 10_000;

export const Id = z.union([z.string().min(1), z.number()]).transform(String);

const Paged = {
  startAt: z.number().nullish(),
  maxResults: z.number().nullish(),
  total: z.number().nullish(),
  isLast: z.boolean().nullish(),
};

interface PagedList<T> {
  /** With or without a query. */
  readonly path: string;
  readonly entry: z.ZodType<T>;
  /** The field with the entries; default `values`. */
  readonly field?: string;
  readonly what: string;
}

interface EntryPage<T> extends Entries<T> {
  /** The number of entries in the whole list, if Jira returns it. */
  readonly total: number | undefined;
}

export interface JiraHttp {
  readonly instance: Instance;
  get<T>(call: ConnectorCall, path: string, schema: z.ZodType<T>, what: string): Promise<T>;
  post<T>(call: ConnectorCall, path: string, body: unknown, schema: z.ZodType<T>, what: string): Promise<T>;
  /** Yields each page of a list with offsets. */
  pages<T>(call: ConnectorCall, list: PagedList<T>): AsyncGenerator<EntryPage<T>, void, void>;
}

/** Creates the client of an instance. */
export function createJiraHttp(http: SourceHttp, instance: Instance): JiraHttp {
  const get: JiraHttp['get'] = async (call, path, schema, what) =>
    (await http.json(call, { url: atInstance(instance, path), what }, schema)).value;

  return {
    instance,
    get,
    post: async (call, path, body, schema, what) =>
      (await http.json(call, { url: atInstance(instance, path), method: 'POST', body, what }, schema)).value,
    async *pages(call, { path, entry, field = 'values', what }) {
      const schema = z.preprocess(
        (body) => ({ ...Object(body), entries: Object(body)[field] }),
        z.object({ ...Paged, entries: entriesOf(entry) }),
      );
      let startAt = 0;
      for (let count = 0; count < MAX_PAGES; count += 1) {
        const position = `${path.includes('?') ? '&' : '?'}startAt=${startAt}&maxResults=${PAGE_SIZE}`;
        const page = await get(call, `${path}${position}`, schema, what);
        const total = page.total ?? undefined;
        yield { ...page.entries, total };
        const read = page.entries.items.length + page.entries.unreadable.length;
        // A page from which inactive people were removed can be empty and not the last.
        startAt += read > 0 ? read : page.isLast === false ? (page.maxResults ?? 0) || PAGE_SIZE : 0;
        const isLast = page.isLast ?? (read === 0 || (total !== undefined && startAt >= total));
        if (isLast) return;
      }
      throw new SourceError('invalid', `Jira returned more than ${MAX_PAGES} pages of ${what}.`);
    },
  };
}
