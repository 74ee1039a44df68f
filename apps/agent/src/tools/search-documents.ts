import { SearchMode, type SearchResult } from '@lectern/contracts';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool } from '#tools/tool';

const MAX_DOCUMENTS = 10;
const DEFAULT_DOCUMENTS = 5;
const PASSAGES = 3;

const render = ({ documentId, title, url, updatedAt, passages }: SearchResult): string =>
  [
    `## ${title}`,
    `id: ${documentId}${url === undefined ? '' : `\nurl: ${url}`}${updatedAt === undefined ? '' : `\nupdated: ${updatedAt.toISOString().slice(0, 10)}`}`,
    ...passages.map(({ heading, text }) => `${heading === '' ? '' : `(${heading})\n`}${text.trim()}`),
  ].join('\n\n');

/** Passages of the documents that fit a question best. */
export const searchDocuments = defineTool({
  name: 'search_documents',
  description:
    'Searches the documents you may read, by meaning and by words, and shows the best passages of each document found with its id. Use "quotation marks" for an exact phrase.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(2_000).describe('What to look for, in the language of the documents'),
    limit: z.int().min(1).max(MAX_DOCUMENTS).optional().describe(`Documents at most, ${DEFAULT_DOCUMENTS} if left out`),
  }),
  run: async (ctx, call, { query, limit = DEFAULT_DOCUMENTS }) => {
    const { results } = await ctx.search.search(
      {
        query,
        collectionIds: [],
        mode: SearchMode.HYBRID,
        page: { page: 1, limit },
        maxPassagesPerDocument: PASSAGES,
      },
      onBehalfOf(call),
    );
    const content = results.length === 0 ? 'No document fits.' : results.map(render).join('\n\n---\n\n');
    return { content, isError: false, summary: { count: results.length } };
  },
});
