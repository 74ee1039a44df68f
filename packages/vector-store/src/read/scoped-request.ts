import type { CallOptions } from '#connection/qdrant-connection';
import { compileFilter } from '#filter/compile-filter';
import type { Filter } from '#filter/filter';
import { FIRST_CHUNK } from '#layout/collection-layout';
import { titleFact } from '#layout/facts';
import { type Condition, equals, oneOf, type Scope, ScopedFilter } from '#scope/scoped-filter';

/** The scope and the selection of documents of every read. */
export interface ScopedRequest extends Scope, CallOptions {
  readonly filter?: Filter | undefined;
  /** Only these documents; an empty list matches none. */
  readonly only?: readonly string[] | undefined;
  /** Without these documents. */
  readonly except?: readonly string[] | undefined;
}

/** A request about whole documents, which can also be selected by their words. */
export interface DocumentsRequest extends ScopedRequest {
  /**
   * Groups of word ids: a document needs at least one word of every group. An empty group matches
   * none.
   */
  readonly words?: readonly (readonly number[])[] | undefined;
  /**
   * A prefix of up to three characters that a word of the title must have, ignoring case and
   * accents.
   */
  readonly titlePrefix?: string | undefined;
}

/** Combines the scope, the filter and the lists of a request into a filter for passages. */
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

/** Combines them into a filter for documents, that is for first chunks. */
export function documentFilterOf(request: DocumentsRequest): ScopedFilter {
  const words = request.words ?? [];
  const title = request.titlePrefix === undefined ? undefined : titleFact(request.titlePrefix);
  const filter = words.some((group) => group.length === 0)
    ? ScopedFilter.within(request, true)
    : scopedFilterOf(request);
  return filter.and(
    equals('chunk', FIRST_CHUNK),
    ...words.map((group): Condition => ({ key: 'terms', match: { any: [...group] } })),
    ...(title ? [equals(title.key, title.fact)] : []),
  );
}
