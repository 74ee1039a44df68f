import { search as spec } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { collectionIds, collectionNames } from '#mcp/collection-ids';
import { documentUri } from '#mcp/document-uri';
import { defineTool, READS } from '#mcp/tool';
import { searchResult, toSearchRequest } from '#operations/search/mapping';

const MAX_RESULTS = 20;

const input = z.strictObject({
  query: spec.searchQuery.describe('What to look for: words or a question, up to 2,000 characters'),
  collections: collectionNames.describe(
    'Names or ids of collections to search in. If omitted, searches all collections that you can access',
  ),
  filters: spec.searchFilters
    .optional()
    .describe('Conditions on fields, for example {"author": "Ada", "updatedAt": {"$gte": "2026-01-01"}}'),
  facetFilters: spec.facetFilters
    .optional()
    .describe('Values to choose from per field, for example {"source": ["github", "upload"]}'),
  mode: z.enum(['hybrid', 'keyword', 'semantic']).default('hybrid'),
  limit: z.int().min(1).max(MAX_RESULTS).default(8).describe('How many documents'),
});

const result = z.object({
  id: z.string().describe('For fetch and get_document'),
  documentId: z.string(),
  title: z.string(),
  url: z.string().describe('The address of the document, or its URI as a resource if it has none'),
  collection: z.string(),
  collectionName: z.string(),
  source: z.string(),
  score: z.number().describe('Orders the results of this query'),
  relevance: z.number().describe('How well the document matches, 0 to 1, the same scale for every query'),
  updatedAt: z.string().nullable(),
  passages: z.array(z.object({ text: z.string(), heading: z.string(), start: z.int(), end: z.int() })),
});
const output = z.object({ results: z.array(result), total: z.int().describe('Documents that match') });

export const search = defineTool({
  name: 'search',
  title: 'Search documents',
  description:
    "Searches the organization's own documents by words and meaning, and returns the best documents with matching passages. Use fetch or get_document to read more of a document.",
  input,
  output,
  right: 'search',
  usage: 'search',
  annotations: READS,
  run: async (ctx, input, call) => {
    const collections = await collectionIds(ctx, input.collections, call);
    const request = toSearchRequest({ ...input, collections, page: 1, maxPassagesPerDocument: 3 });
    const response = await ctx.clients.search.search(request, onBehalfOf(call));
    const results = response.results.map(searchResult).map((found) => {
      const id = found.documentId;
      return result.parse({ ...found, id, url: found.url ?? documentUri(id) });
    });
    const data = { results, total: response.page?.total ?? results.length };
    // Assistants that expect search and fetch parse the text.
    return { text: JSON.stringify(data), data };
  },
});
