import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { failedEntry, type UnreadableEntry } from '#http/entries';
import type { FindAuthor } from '#notion/authors';
import { type CrawlStep, createCrawl } from '#notion/find-pages';
import type { NotionApi } from '#notion/notion-api';
import type { Listed } from '#notion/notion-object';
import { NotionRejection } from '#notion/read-error';
import { refOfPage } from '#notion/to-ref';
import type { SourceEvent } from '#source';

/**
 * The position of a listing: page of search results, next result in it, and position in that data
 * source.
 */
const Checkpoint = z.object({
  cursor: z.string().optional(),
  result: z.string().optional(),
  rows: z.string().optional(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** The number of pages between checkpoints. */
const CHECKPOINT_EVERY = 100;

async function* pagesOf(pages: AsyncIterable<Listed>): AsyncGenerator<CrawlStep, void, void> {
  for await (const page of pages) yield { page };
}

/** If a page is missing, its subpages can be missing too. */
const failedEntries = (entries: readonly UnreadableEntry[]): SourceEvent[] =>
  entries.map((entry) => failedEntry(entry, { id: entry.id, what: 'the list of pages', hides: true }));

/** Reads search results at a checkpoint. If the cursor has expired, the listing starts again. */
async function sliceAt(api: NotionApi, call: ConnectorCall, cursor: string | undefined, resumed: boolean) {
  try {
    return await api.search(call, cursor);
  } catch (error) {
    if (!resumed || cursor === undefined || !(error instanceof NotionRejection)) throw error;
    return api.search(call);
  }
}

/**
 * Lists all pages found by search and by a crawl from its results. A page can still be missed, so
 * the result has `confirmGone`. A resumed listing can repeat pages.
 */
export async function* listPages(
  api: NotionApi,
  findAuthor: FindAuthor,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const crawl = createCrawl(api, call);
  let at: Checkpoint = from === undefined ? {} : Checkpoint.parse(JSON.parse(from));
  let resumed = from !== undefined;
  let sinceCheckpoint = 0;
  const checkpoint = (): SourceEvent => {
    sinceCheckpoint = 0;
    return { type: 'checkpoint', at: JSON.stringify(at) };
  };
  for (;;) {
    const slice = await sliceAt(api, call, at.cursor, resumed);
    resumed = false;
    yield* failedEntries(slice.unreadable);
    const { cursor, result } = at;
    const start = slice.results.findIndex((found) => found.id === result);
    for (const found of slice.results.slice(Math.max(start, 0))) {
      const { rows } = found.id === result ? at : { rows: undefined };
      at = { cursor, result: found.id, rows };
      if (sinceCheckpoint >= CHECKPOINT_EVERY) yield checkpoint();
      const steps = found.object === 'data_source' ? crawl.rows(found.id, rows) : pagesOf(crawl.visit(found));
      for await (const step of steps) {
        yield* failedEntries(crawl.takeUnreadable());
        if (step.page === undefined) {
          at = { ...at, rows: step.next };
          yield checkpoint();
          continue;
        }
        yield { type: 'item', ref: refOfPage(step.page, await findAuthor(call, step.page)) };
        sinceCheckpoint += 1;
        if (sinceCheckpoint >= CHECKPOINT_EVERY) yield checkpoint();
      }
    }
    yield* failedEntries(crawl.takeUnreadable());
    if (slice.next === undefined) break;
    at = { cursor: slice.next };
    yield checkpoint();
  }
  yield { type: 'complete', authoritative: true, confirmGone: true };
}
