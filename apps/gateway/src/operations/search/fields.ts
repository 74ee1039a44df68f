import { SearchMode } from '@lectern/contracts';
import { FILTER_LIMITS, filterSizeFault } from '@lectern/service-kit';
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

/** Filters of limited size. The search service validates fields and operators. */
export const searchFilters = z
  .record(z.string(), z.unknown())
  .superRefine((filters, issues) => {
    const fault = filterSizeFault(filters);
    if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault });
  })
  .meta({
    description: `Conditions on fields. At most ${FILTER_LIMITS.depth} levels, ${FILTER_LIMITS.nodes} conditions, groups and operators in total, and ${FILTER_LIMITS.values} values`,
  });

/** The parameters of a search in addition to its query. */
export const searchFields = {
  collections: searchedCollections.optional(),
  filters: searchFilters.optional(),
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
