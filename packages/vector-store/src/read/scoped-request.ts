import type { CallOptions } from '#connection/qdrant-connection';
import { compileFilter } from '#filter/compile-filter';
import type { Filter } from '#filter/filter';
import { FIRST_CHUNK } from '#layout/collection-layout';
import { titleFact } from '#layout/facts';
import { type Condition, equals, oneOf, type Scope, ScopedFilter } from '#scope/scoped-filter';

/** What every reading request says: whose, where, and on which documents. */
export interface ScopedRequest extends Scope, CallOptions {
  readonly filter?: Filter | undefined;
  /** Only these documents; an empty list leaves none. */
  readonly only?: readonly string[] | undefined;
  /** None of these documents. */
  readonly except?: readonly string[] | undefined;
}

/** A request about documents as a whole, which their words can narrow too. */
export interface DocumentsRequest extends ScopedRequest {
  /** Groups of word ids: a document has to have at least one word of every group. An empty group leaves none. */
  readonly words?: readonly (readonly number[])[] | undefined;
  /** Up to three characters with which a word of the title has to begin, whatever their case and accents. */
  readonly titleBeginning?: string | undefined;
}

/** The scope, the filter and the lists of a request as one: of passages. */
export function scopedFilterOf(request: ScopedRequest): ScopedFilter {
  const { filter, only, except = [] } = request;
  const scope = ScopedFilter.within(request, only?.length === 0);
  const conditions: Condition[] = [
    ...(filter ? [compileFilter(filter)] : []),
    ...(only ? [oneOf('document', only)] : []),
    ...(except.length > 0 ? [{ must_not: [oneOf('document', except)] }] : []),
  ];
  return conditions.length === 0 ? scope : scope.and(...conditions);
}

/** The same for documents: of their first chunks, each of which stands for its document. */
export function documentFilterOf(request: DocumentsRequest): ScopedFilter {
  const words = request.words ?? [];
  const title = request.titleBeginning === undefined ? undefined : titleFact(request.titleBeginning);
  const filter = words.some((group) => group.length === 0)
    ? ScopedFilter.within(request, true)
    : scopedFilterOf(request);
  return filter.and(
    equals('chunk', FIRST_CHUNK),
    ...words.map((group): Condition => ({ key: 'terms', match: { any: [...group] } })),
    ...(title ? [equals(title.key, title.fact)] : []),
  );
}
