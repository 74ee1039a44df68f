import {
  FILTER_FIELDS,
  type Filter,
  type FilterField,
  type FilterReading,
  filterFieldOf,
  filterSizeFault,
  readComparison,
} from '@lectern/contracts';
import { type Issue, invalidRequest } from '@lectern/service-kit';

/** One condition per field: a document needs one of the chosen values of every field. */
export type FacetFilters = ReadonlyMap<FilterField, Filter>;

/**
 * Parses the chosen values of facets: `{field: [values]}`. A field without values has no condition.
 * @throws AppError `invalid_request` with one issue per error
 */
export function readFacetFilters(chosen: Readonly<Record<string, unknown>> | undefined): FacetFilters {
  if (chosen === undefined) return new Map();
  const sizeError = filterSizeFault(chosen);
  if (sizeError !== undefined) throw invalidRequest([{ path: 'facetFilters', message: sizeError }]);
  const issues: Issue[] = [];
  const reading: FilterReading = { issues, ranges: 0 };
  const filters = new Map<FilterField, Filter>();
  for (const [name, values] of Object.entries(chosen)) {
    const path = `facetFilters.${name}`;
    const field = filterFieldOf(name);
    if (field === undefined) {
      issues.push({ path, message: `is an unknown facet field. Use one of ${FILTER_FIELDS}` });
    } else if (!Array.isArray(values)) {
      issues.push({ path, message: 'must be a list' });
    } else if (values.length > 0) {
      filters.set(field, readComparison(field, values, path, reading));
    }
  }
  if (issues.length > 0) throw invalidRequest(issues);
  return filters;
}
