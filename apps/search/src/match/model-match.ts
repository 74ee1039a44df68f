import type { Filter, FilterField } from '@lectern/contracts';
import type { DocumentsRequest } from '@lectern/vector-store';
import type { FacetFilters } from '#filters/read-facet-filters';

/** The documents of one embedding model's collections that match a query. */
export interface ModelMatch {
  readonly model: string;
  /** The matches without the conditions on facets. */
  readonly matched: DocumentsRequest;
  readonly facetFilters: FacetFilters;
}

/**
 * Returns the request for the documents that match. `except` is a facet whose own condition does not
 * apply, because its values are alternatives to choose from.
 */
export function documentsOf({ matched, facetFilters }: ModelMatch, except?: FilterField): DocumentsRequest {
  const conditions = [...facetFilters].filter(([field]) => field !== except).map(([, filter]) => filter);
  if (conditions.length === 0) return matched;
  const all: readonly Filter[] = matched.filter ? [matched.filter, ...conditions] : conditions;
  return { ...matched, filter: { all } };
}
