import { runChecks } from '#checks/run-checks';
import type { Connector } from '#connector';
import type { ConnectorHost } from '#host';
import { createAuthors } from '#notion/authors';
import { listPages } from '#notion/list-pages';
import { createNotionApi } from '#notion/notion-api';
import { isTrashed } from '#notion/notion-object';
import { createContentReader } from '#notion/read-content';
import { NotionRejection } from '#notion/read-error';
import { refOfPage } from '#notion/to-ref';
import { SourceError } from '#source-error';

/**
 * For a malformed id, Notion rejects the request instead of responding that the page does not
 * exist.
 */
const isNoPage = (error: unknown) =>
  error instanceof NotionRejection || (error instanceof SourceError && error.kind === 'gone');

/** Opens the pages that a user shared with the connection. */
export function openNotion(host: Pick<ConnectorHost, 'addresses' | 'egress' | 'tokens' | 'maxItemBytes'>): Connector {
  const api = createNotionApi(host);
  const findAuthor = createAuthors(api);
  return {
    test: (call) =>
      runChecks([
        [
          'pages',
          async () => {
            const { results } = await api.search(call);
            return results.length > 0
              ? 'Notion accepts the authorization, and pages are visible.'
              : 'Notion accepts the authorization, but no page is shared with the connection yet. Share pages with it in Notion.';
          },
        ],
      ]),
    list: (call, from) => listPages(api, findAuthor, call, from),
    resolve: async (call, id) => {
      try {
        const page = await api.page(call, id);
        return isTrashed(page) ? null : refOfPage(page, await findAuthor(call, page));
      } catch (error) {
        if (isNoPage(error)) return null;
        throw error;
      }
    },
    fetch: createContentReader(api, host.maxItemBytes),
  };
}
