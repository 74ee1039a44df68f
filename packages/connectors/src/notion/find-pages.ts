import type { ConnectorCall } from '#connector';
import type { UnreadableEntry } from '#http/entries';
import type { NotionApi } from '#notion/notion-api';
import { type Block, isTrashed, type Listed, type Slice } from '#notion/notion-object';
import { SourceError } from '#source-error';

/** Blocks without child pages. */
const NO_PAGES_WITHIN: ReadonlySet<string> = new Set(['table', 'child_page', 'child_database', 'unsupported']);

/** Returns true for content that is hidden or deleted: the crawl continues without it. */
const isInaccessible = (error: unknown): boolean =>
  error instanceof SourceError && !error.retryable && error.kind !== 'auth';

async function orUndefined<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isInaccessible(error)) return undefined;
    throw error;
  }
}

/** Yields the entries of a list, until Notion returns an error. */
async function* entries<T>(read: (cursor: string | undefined) => Promise<Slice<T>>): AsyncGenerator<T, void, void> {
  let cursor: string | undefined;
  do {
    const slice: Slice<T> | undefined = await orUndefined(read(cursor));
    yield* slice?.results ?? [];
    cursor = slice?.next;
  } while (cursor !== undefined);
}

/** A page, or the position in a data source after all pages so far. */
export type CrawlStep =
  | { readonly page: Listed; readonly next?: undefined }
  | { readonly page?: undefined; readonly next: string };

/**
 * Finds pages that search missed, starting from its results: the parent page or data source, child
 * pages, and database rows. A crawl returns each page once.
 */
export function createCrawl(api: NotionApi, call: ConnectorCall) {
  const seen = new Set<string>();
  const unreadable: UnreadableEntry[] = [];
  /** Records the unreadable entries of a slice. */
  const noting = async <T>(request: Promise<Slice<T>>): Promise<Slice<T>> => {
    const slice = await request;
    unreadable.push(...slice.unreadable);
    return slice;
  };
  const isNew = (id: string): boolean => {
    const fresh = !seen.has(id);
    seen.add(id);
    return fresh;
  };

  async function* children(id: string): AsyncGenerator<Block, void, void> {
    for await (const block of entries((cursor) => noting(api.blocks(call, id, cursor)))) {
      yield block;
      if (block.has_children && !NO_PAGES_WITHIN.has(block.type)) yield* children(block.id);
    }
  }

  async function* database(id: string): AsyncGenerator<Listed, void, void> {
    if (!isNew(id)) return;
    const sources = await orUndefined(api.dataSourcesOf(call, id));
    unreadable.push(...(sources?.unreadable ?? []));
    for (const source of sources?.items ?? []) yield* dataSource(source);
  }

  async function* rows(id: string, from?: string): AsyncGenerator<CrawlStep, void, void> {
    if (!isNew(id)) return;
    let cursor = from;
    do {
      let slice = await orUndefined(noting(api.rows(call, id, cursor)));
      // Cursors expire.
      if (slice === undefined && cursor !== undefined && cursor === from)
        slice = await orUndefined(noting(api.rows(call, id)));
      for (const row of slice?.results ?? []) for await (const page of visit(row)) yield { page };
      cursor = slice?.next;
      if (cursor !== undefined) yield { next: cursor };
    } while (cursor !== undefined);
  }

  async function* dataSource(id: string): AsyncGenerator<Listed, void, void> {
    for await (const step of rows(id)) if (step.page !== undefined) yield step.page;
  }

  async function* pageById(id: string): AsyncGenerator<Listed, void, void> {
    if (seen.has(id)) return;
    const page = await orUndefined(api.page(call, id));
    if (page === undefined) seen.add(id);
    else yield* visit(page);
  }

  async function* visit(found: Listed): AsyncGenerator<Listed, void, void> {
    if (found.object === 'data_source') return yield* dataSource(found.id);
    if (found.object === 'database') return yield* database(found.id);
    if (found.object !== 'page' || isTrashed(found) || !isNew(found.id)) return;
    yield found;
    const { page_id, data_source_id, database_id } = found.parent ?? {};
    if (page_id !== undefined) yield* pageById(page_id);
    if (data_source_id !== undefined) yield* dataSource(data_source_id);
    else if (database_id !== undefined) yield* database(database_id);
    for await (const block of children(found.id)) {
      if (block.type === 'child_page') yield* pageById(block.id);
      if (block.type === 'child_database') yield* database(block.id);
    }
  }

  /** Returns the unreadable entries recorded since the last call. */
  const takeUnreadable = (): readonly UnreadableEntry[] => unreadable.splice(0);

  return { visit, rows, takeUnreadable };
}
