import { z } from 'zod';
import type { ConnectorCall } from '../connector.ts';
import type { SourceEvent } from '../source.ts';
import type { FindAuthor } from './authors.ts';
import { createCrawl } from './find-pages.ts';
import type { NotionApi } from './notion-api.ts';
import { NotionRefusal } from './read-error.ts';
import { refOfPage } from './to-ref.ts';

const Checkpoint = z.object({ cursor: z.string() });

/**
 * Everything that search and a crawl from what it found come to. Even so a page can be missed, hence `confirmGone`. A checkpoint is a page
 * of search results with all that hangs on them; a resumed listing may name pages once more. A cursor that Notion has forgotten begins
 * the listing anew.
 */
export async function* listPages(
  api: NotionApi,
  findAuthor: FindAuthor,
  call: ConnectorCall,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  const crawl = createCrawl(api, call);
  let cursor = from === undefined ? undefined : Checkpoint.parse(JSON.parse(from)).cursor;
  let resumed = cursor !== undefined;
  for (;;) {
    let slice: Awaited<ReturnType<NotionApi['search']>>;
    try {
      slice = await api.search(call, cursor);
    } catch (error) {
      if (!resumed || !(error instanceof NotionRefusal)) throw error;
      slice = await api.search(call);
    }
    resumed = false;
    for (const found of slice.results) {
      for await (const page of crawl.visit(found)) {
        yield { type: 'item', ref: refOfPage(page, await findAuthor(call, page)) };
      }
    }
    cursor = slice.next;
    if (cursor === undefined) break;
    yield { type: 'checkpoint', at: JSON.stringify({ cursor }) };
  }
  yield { type: 'complete', authoritative: true, confirmGone: true };
}
