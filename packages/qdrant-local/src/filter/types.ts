import type { JsonPath } from '../json/path.ts';
import type { PointId } from '../model/point-id.ts';

/** A comparison with a field's value. */
export type Match =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'textAny'; readonly text: string }
  | { readonly kind: 'phrase'; readonly text: string }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'any'; readonly values: ReadonlySet<string | number> }
  | { readonly kind: 'except'; readonly values: ReadonlySet<string | number>; readonly of: 'string' | 'number' };

/** Bounds of a range; undefined bounds do not apply. */
export interface Range {
  readonly lt?: number;
  readonly gt?: number;
  readonly lte?: number;
  readonly gte?: number;
}

/**
 * A condition on one payload field. Several parts in one condition are alternatives, as in Qdrant.
 */
export interface FieldCondition {
  readonly kind: 'field';
  readonly path: JsonPath;
  readonly match?: Match;
  /** Bounds of numbers. */
  readonly range?: Range;
  /** Bounds of dates, in microseconds since 1970. */
  readonly datetimeRange?: Range;
  readonly valuesCount?: Range;
  readonly isEmpty?: boolean;
  readonly isNull?: boolean;
}

/** One condition of a filter clause. */
export type Condition =
  | FieldCondition
  | { readonly kind: 'isEmpty'; readonly path: JsonPath }
  | { readonly kind: 'isNull'; readonly path: JsonPath }
  | { readonly kind: 'hasId'; readonly ids: readonly PointId[] }
  | { readonly kind: 'hasVector'; readonly name: string }
  | { readonly kind: 'nested'; readonly path: JsonPath; readonly filter: Filter }
  | { readonly kind: 'filter'; readonly filter: Filter };

/** All given clauses must match. Empty clauses are dropped during parsing, as in Qdrant. */
export interface Filter {
  readonly must?: readonly Condition[];
  readonly should?: readonly Condition[];
  readonly mustNot?: readonly Condition[];
  readonly minShould?: { readonly conditions: readonly Condition[]; readonly minCount: number };
}

/** Combines two filters with AND. */
export function bothFilters(left: Filter | undefined, right: Filter | undefined): Filter | undefined {
  if (!left) return right;
  if (!right) return left;
  return {
    must: [
      { kind: 'filter', filter: left },
      { kind: 'filter', filter: right },
    ],
  };
}

/** Returns whether a number is within the bounds. */
export function inRange(range: Range, value: number): boolean {
  return (
    (range.lt === undefined || value < range.lt) &&
    (range.gt === undefined || value > range.gt) &&
    (range.lte === undefined || value <= range.lte) &&
    (range.gte === undefined || value >= range.gte)
  );
}
