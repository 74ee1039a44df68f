import type { Filter } from '@lectern/contracts';
import type { CallOptions } from '#connection/qdrant-connection';
import { compileFilter } from '#filter/compile-filter';
import { anyPoint, type Condition, equals, NOTHING, oneOf } from '#filter/conditions';
import { FIRST_CHUNK } from '#layout/collection-layout';
import { titleFact } from '#layout/facts';
import { type Scope, ScopedFilter } from '#scope/scoped-filter';

/** The scope and the selection of documents of every read. */
export interface ScopedRequest extends Scope, CallOptions {
  readonly filter?: Filter | undefined;
  /** Only these documents; an empty list matches none. */
  readonly only?: readonly string[] | undefined;
  /** Without these documents. */
  readonly except?: readonly string[] | undefined;
}

/**
 * Alternatives of which a document needs one: the id of a word, or the ids of several words that
 * must all occur. An empty group matches none.
 */
export type WordGroup = readonly (number | readonly number[])[];

/** A request about whole documents, which can also be selected by their words. */
export interface DocumentsRequest extends ScopedRequest {
  /** A document must match every group. */
  readonly words?: readonly WordGroup[] | undefined;
  /** Documents that need none of the words, by the ids of their first passages. */
  readonly orFirst?: readonly string[] | undefined;
  /** Only documents with these first passages; an empty list matches none. */
  readonly onlyFirst?: readonly string[] | undefined;
  /** Without documents with these first passages. */
  readonly exceptFirst?: readonly string[] | undefined;
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
  const title = request.titlePrefix === undefined ? undefined : titleFact(request.titlePrefix);
  const { onlyFirst, exceptFirst = [] } = request;
  const selected: Condition[] = [
    ...wordConditions(request),
    ...(title ? [equals(title.key, title.fact)] : []),
    ...(onlyFirst ? [anyPoint(onlyFirst)] : []),
    ...(exceptFirst.length > 0 ? [{ must_not: [anyPoint(exceptFirst)] }] : []),
  ];
  const filter = selected.includes(NOTHING) ? ScopedFilter.within(request, true) : scopedFilterOf(request);
  return filter.and(equals('chunk', FIRST_CHUNK), ...selected);
}

function wordConditions({ words, orFirst = [] }: DocumentsRequest): Condition[] {
  if (words === undefined) return [];
  const groups = words.map(groupCondition);
  if (orFirst.length === 0) return groups.includes(NOTHING) ? [NOTHING] : groups;
  const listed = anyPoint(orFirst);
  return groups.includes(NOTHING) ? [listed] : [{ should: [{ must: groups }, listed] }];
}

function groupCondition(group: WordGroup): Condition {
  if (group.length === 0) return NOTHING;
  const single = group.filter((alternative) => typeof alternative === 'number');
  const several = group.filter((alternative) => typeof alternative !== 'number');
  const anySingle: Condition = { key: 'terms', match: { any: single } };
  if (several.length === 0) return anySingle;
  const allOf = several.map((ids): Condition => ({ must: ids.map((id) => equals('terms', id)) }));
  return { should: single.length === 0 ? allOf : [anySingle, ...allOf] };
}
