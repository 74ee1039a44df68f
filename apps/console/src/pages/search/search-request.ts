import type { Body } from '@lectern/sdk';
import { FACET_FIELDS, type SearchState } from '#pages/search/use-search-state.ts';

const PAGE_SIZE = 10;
/** The age in days at which a document has lost half of the preference for recent ones. */
const HALF_LIFE_DAYS = 90;

/** The body of a faceted search. */
export function searchRequest({
  query,
  mode,
  sort,
  page,
  isCollapsed,
  prefersRecent,
  chosen,
}: SearchState): Body<'searchFaceted'> {
  const facetFilters = Object.fromEntries(FACET_FIELDS.map((field) => [field, [...chosen[field]]]));
  return {
    query,
    mode,
    sort,
    page,
    limit: PAGE_SIZE,
    facets: [...FACET_FIELDS],
    facetFilters,
    ...(isCollapsed && { collapse: 'duplicates' }),
    ...(prefersRecent && { recency: { halfLifeDays: HALF_LIFE_DAYS } }),
  };
}
