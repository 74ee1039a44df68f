import { SearchMode, type SearchResult } from '@lectern/contracts';
import { toSourceDocument } from '@lectern/grounding';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool } from '#tools/tool';

const MAX_DOCUMENTS = 10;
const DEFAULT_DOCUMENTS = 5;
const PASSAGES = 3;

/** Renders a result without its passages, which are sources. */
const render = ({ documentId, title, url, updatedAt }: SearchResult): string =>
  [
    `- ${title}`,
    `id: ${documentId}`,
    ...(url === undefined ? [] : [`url: ${url}`]),
    ...(updatedAt === undefined ? [] : [`updated: ${updatedAt.toISOString().slice(0, 10)}`]),
  ].join('\n  ');

/** Searches documents and returns their best passages. */
export const searchDocuments = defineTool({
  name: 'search_documents',
  description:
    'Searches the documents you can read, by meaning and by words, and returns the id and best passages of each document. Use "quotation marks" for an exact phrase.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(2_000).describe('What to look for, in the language of the documents'),
    limit: z
      .int()
      .min(1)
      .max(MAX_DOCUMENTS)
      .optional()
      .describe(`The maximum number of documents. The default is ${DEFAULT_DOCUMENTS}`),
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
    const content = results.length === 0 ? 'No documents match the query.' : results.map(render).join('\n');
    return { content, isError: false, summary: { count: results.length }, sources: results.map(toSourceDocument) };
  },
});
