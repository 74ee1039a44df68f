import { SearchMode } from '@lectern/contracts';
import { z } from 'zod';
import { searchedCollections } from '#http/fields';
import { pageFields } from '#http/paging';

const MAX_QUERY = 2_000;
const MODES = { hybrid: SearchMode.HYBRID, keyword: SearchMode.KEYWORD, semantic: SearchMode.SEMANTIC } as const;

const query = z.string().max(MAX_QUERY);

/** What is searched for. */
export const searchQuery = query.regex(/\S/, 'must not be empty');

/** What is searched for, or nothing where everything is to be listed. */
export const optionalQuery = query.default('');

/** What a search takes beside its query. Filters are for the search service to judge: it knows the fields. */
export const searchFields = {
  collections: searchedCollections.optional(),
  filters: z.record(z.string(), z.unknown()).optional(),
  mode: z.enum(['hybrid', 'keyword', 'semantic']).default('hybrid'),
  ...pageFields,
  minScore: z.number().min(0).max(1).optional(),
  rerank: z.boolean().optional(),
  maxPassagesPerDocument: z.int().min(1).max(20).default(3),
};

type SearchBody = z.output<z.ZodObject<typeof searchFields>> & { readonly query: string };

/** The request to the search service. */
export function toSearchRequest({ collections, mode, page, limit, ...rest }: SearchBody) {
  return { ...rest, collectionIds: collections ?? [], mode: MODES[mode], page: { page, limit } };
}
