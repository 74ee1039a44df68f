import type { Schemas } from '@qdrant/js-client-rest';

export type Condition = Schemas['Condition'];

/** Qdrant treats an empty `should` as true, but an empty list of ids matches nothing. */
export const NOTHING: Condition = { has_id: [] };

/** Matches the points with these ids. */
export function anyPoint(ids: readonly string[]): Condition {
  return ids.length === 0 ? NOTHING : { has_id: [...ids] };
}

/** Matches points whose field is `value` or a list that contains it. */
export function equals(key: string, value: string | number | boolean): Condition {
  return { key, match: { value } };
}

/** Matches points whose field is one of `values` or a list that contains one. */
export function oneOf(key: string, values: readonly string[]): Condition {
  return { key, match: { any: [...values] } };
}
