import { z } from 'zod';
import type { ConnectorCall } from '../connector.ts';
import { failedEntry, type UnreadableEntry } from '../http/entries.ts';
import type { SourceEvent } from '../source.ts';
import type { FindAuthor } from './authors.ts';
import { type CrawlStep, createCrawl } from './find-pages.ts';
import type { NotionApi } from './notion-api.ts';
import type { Listed } from './notion-object.ts';
import { NotionRefusal } from './read-error.ts';
import { refOfPage } from './to-ref.ts';

/** A slice of search results, the result in it that is next, and where in that data source to go on. */
const Checkpoint = z.object({
  cursor: z.string().optional(),
  result: z.string().optional(),
  rows: z.string().optional(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

/** Pages after which a checkpoint is due, be it one that was before. */
const CHECKPOINT_EVERY = 100;

async function* pagesOf(pages: AsyncIterable<Listed>): AsyncGenerator<CrawlStep, void, void> {
  for await (const page of pages) yield { page };
}

/** If a page is missing, its subpages may be missing too. */
const failedEntries = (entries: readonly UnreadableEntry[]): SourceEvent[] =>
  entries.map((entry) => failedEntry(entry, { id: entry.id, what: 'the list of pages', hides: true }));

/** The slice at a checkpoint. A cursor that Notion has forgotten begins the listing anew. */
async function sliceAt(api: NotionApi, call: ConnectorCall, cursor: string | undefined, resumed: boolean) {
  try {
    return await api.search(call, cursor);
  } catch (error) {
    if (!resumed || cursor === undefined || !(error instanceof NotionRefusal)) throw error;
    return api.search(call);
  }
}

/**
 * Everything that search and a crawl from what it found come to. Even so a page can be missed, hence `confirmGone`; and a resumed
 * listing may name pages once more.
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
