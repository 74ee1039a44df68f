import { runChecks } from '../checks/run-checks.ts';
import type { Connector } from '../connector.ts';
import type { ConnectorHost } from '../host.ts';
import { SourceError } from '../source-error.ts';
import { createAuthors } from './authors.ts';
import { listPages } from './list-pages.ts';
import { createNotionApi } from './notion-api.ts';
import { isTrashed } from './notion-object.ts';
import { createContentReader } from './read-content.ts';
import { NotionRejection } from './read-error.ts';
import { refOfPage } from './to-ref.ts';

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
