import { fields, search as spec } from '@lectern/api-spec';
import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { defineTool, READS } from '#mcp/tool';
import { searchResult, toSearchRequest } from '#operations/search/mapping';

const MAX_RESULTS = 20;

const input = z.strictObject({
  query: spec.searchQuery.describe('What to look for: words or a question, up to 2,000 characters'),
  collections: fields.searchedCollections
    .optional()
    .describe("Ids of collections to search in. If omitted, searches all collections in the key's scope"),
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
  documentId: z.string(),
  title: z.string(),
  url: z.string().nullable(),
  collection: z.string(),
  collectionName: z.string(),
  source: z.string(),
  score: z.number().describe('Orders the results of this query'),
  relevance: z.number().describe('How well the document matches, 0 to 1, the same scale for every query'),
  updatedAt: z.string().nullable(),
  passages: z.array(z.object({ text: z.string(), heading: z.string(), start: z.int(), end: z.int() })),
});
const output = z.object({ results: z.array(result), total: z.int().describe('Documents that match') });

function asText({ results, total }: z.output<typeof output>): string {
  if (results.length === 0) return 'No document matches.';
  const blocks = results.map(({ documentId, title, url, collectionName, passages }, index) => {
    const head = `${index + 1}. ${title}\n   id: ${documentId} · collection: ${collectionName}${url === null ? '' : ` · ${url}`}`;
    return [head, ...passages.map(({ text }) => `   > ${text.replaceAll(/\s+/g, ' ').trim()}`)].join('\n');
  });
  return [`${results.length} of ${total} documents`, ...blocks].join('\n\n');
}

export const search = defineTool({
  name: 'search',
  title: 'Search documents',
  description:
    "Searches the organization's own documents by words and meaning, and returns the best documents with matching passages. Use get_document to read more of a document.",
  input,
  output,
  right: 'search',
  usage: 'search',
  annotations: READS,
  run: async (ctx, input, call) => {
    const request = toSearchRequest({ ...input, page: 1, maxPassagesPerDocument: 3 });
    const response = await ctx.clients.search.search(request, onBehalfOf(call));
    const results = response.results.map(searchResult).map((found) => result.parse(found));
    const data = { results, total: response.page?.total ?? results.length };
    return { text: asText(data), data };
  },
});
