import { type Filter, parseFilters } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';

/**
 * Parses the filters of a request.
 * @throws AppError `invalid_request` with one issue per error
 */
export function readFilters(filters: Readonly<Record<string, unknown>> | undefined): Filter | undefined {
  const { filter, issues } = parseFilters(filters);
  if (issues.length > 0) throw invalidRequest([...issues]);
  return filter;
}
