import { SearchMode, type SearchResult } from '@lectern/contracts';
import type { SourceDocument } from '@lectern/grounding';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool } from '#tools/tool';

const MAX_DOCUMENTS = 10;
const DEFAULT_DOCUMENTS = 5;
const PASSAGES = 3;

/** What is known of a document; its passages are told as sources. */
const render = ({ documentId, title, url, updatedAt }: SearchResult): string =>
  [
    `- ${title}`,
    `id: ${documentId}`,
    ...(url === undefined ? [] : [`url: ${url}`]),
    ...(updatedAt === undefined ? [] : [`updated: ${updatedAt.toISOString().slice(0, 10)}`]),
  ].join('\n  ');

const toSource = ({ documentId, title, url, passages }: SearchResult): SourceDocument => ({
  id: documentId,
  title,
  ...(url === undefined ? {} : { url }),
  passages: passages.map(({ text, heading, start, end, score }) => ({
    text,
    start,
    end,
    score,
    ...(heading === '' ? {} : { heading }),
  })),
});

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
    const content = results.length === 0 ? 'No document fits.' : results.map(render).join('\n');
    return { content, isError: false, summary: { count: results.length }, sources: results.map(toSource) };
  },
});
