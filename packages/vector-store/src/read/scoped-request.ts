import type { CallOptions } from '#connection/qdrant-connection';
import { compileFilter } from '#filter/compile-filter';
import type { Filter } from '#filter/filter';
import { type Scope, ScopedFilter } from '#scope/scoped-filter';

/** What every reading request says: whose, where, and on which documents. */
export interface ScopedRequest extends Scope, CallOptions {
  readonly filter?: Filter | undefined;
}

/** The scope and the filter of a request as one. */
export function scopedFilterOf(request: ScopedRequest): ScopedFilter {
  const scope = ScopedFilter.within(request);
  return request.filter ? scope.and(compileFilter(request.filter)) : scope;
}
