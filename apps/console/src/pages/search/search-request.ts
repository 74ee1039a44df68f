import type { Body } from '@lectern/sdk';
import { FACET_FIELDS, type SearchState } from '#pages/search/use-search-state.ts';

const PAGE_SIZE = 10;

/** The body of a faceted search. */
export function searchRequest({ query, mode, page, chosen }: SearchState): Body<'searchFaceted'> {
  const filters = Object.fromEntries(
    FACET_FIELDS.flatMap((field) => (chosen[field].length === 0 ? [] : [[field, { $in: chosen[field] }]])),
  );
  return { query, mode, page, limit: PAGE_SIZE, facets: [...FACET_FIELDS], filters };
}
