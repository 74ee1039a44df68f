import { FILTER_FIELDS, FILTER_LIMITS, filterFieldOf, type SearchFacetedRequest } from '@lectern/contracts';
import { type Issue, invalidRequest } from '@lectern/service-kit';
import type { FacetField } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#limits';

/**
 * Returns the facets of a request, each field once.
 * @throws AppError `invalid_request` with every invalid field
 */
export function readFacets({ facets, maxFacetValues }: SearchFacetedRequest): {
  readonly fields: readonly FacetField[];
  readonly maxValues: number;
} {
  const { max, default: usual } = SEARCH_LIMITS.facetValues;
  const issues: Issue[] = [];
  if (facets.length > SEARCH_LIMITS.facets) {
    throw invalidRequest([{ path: 'facets', message: `must have at most ${SEARCH_LIMITS.facets} items` }]);
  }
  const fields = new Set<FacetField>();
  for (const [at, name] of facets.entries()) {
    const field = filterFieldOf(name);
    if (name.length > FILTER_LIMITS.nameLength) {
      const message = `must have at most ${FILTER_LIMITS.nameLength} characters`;
      issues.push({ path: `facets[${at}]`, message });
    } else if (field !== undefined) fields.add(field);
    else issues.push({ path: `facets[${at}]`, message: `is an unknown facet field. Use one of ${FILTER_FIELDS}` });
  }
  if (maxFacetValues < 0 || maxFacetValues > max) {
    issues.push({ path: 'maxFacetValues', message: `must be between 1 and ${max}` });
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return { fields: [...fields], maxValues: maxFacetValues === 0 ? usual : maxFacetValues };
}
