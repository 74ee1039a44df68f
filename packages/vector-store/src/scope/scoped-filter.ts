import { AppError } from '@lectern/service-kit';
import type { Schemas } from '@qdrant/js-client-rest';

export type Condition = Schemas['Condition'];

/** Qdrant treats an empty `should` as true, but an empty list of ids matches nothing. */
export const NOTHING: Condition = { has_id: [] };

/** The passages that a caller can access. Every request that reads or deletes passages has one. */
export interface Scope {
  readonly team: string;
  /** Only these collections. Undefined: all collections of the team; empty: none. */
  readonly collections?: readonly string[] | undefined;
  /**
   * Only passages that one of these principals can read. Undefined: no permission check; empty:
   * none.
   */
  readonly principals?: readonly string[] | undefined;
}

/**
 * A Qdrant filter with a team. Requests are built only from this class, and it can be created only
 * from a scope: a request across teams does not compile.
 */
export class ScopedFilter {
  readonly #must: readonly Condition[];

  /** Whether no passage can match; then no request is sent. */
  readonly matchesNothing: boolean;

  private constructor(must: readonly Condition[], matchesNothing: boolean) {
    this.#must = must;
    this.matchesNothing = matchesNothing;
  }

  /**
   * @param nothing whether the request cannot match for another reason
   * @throws AppError `internal_error` if the team is empty, which is a bug in the caller
   */
  static within({ team, collections, principals }: Scope, nothing = false): ScopedFilter {
    if (team === '') throw new AppError('internal_error', 'A request to the vector store has no team.');
    const must = [
      equals('team', team),
      ...(collections ? [oneOf('collection', collections)] : []),
      ...(principals ? [oneOf('principals', principals)] : []),
    ];
    return new ScopedFilter(must, nothing || collections?.length === 0 || principals?.length === 0);
  }

  /** Narrows the scope. */
  and(...conditions: readonly Condition[]): ScopedFilter {
    return new ScopedFilter([...this.#must, ...conditions], this.matchesNothing);
  }

  toQdrant(): Schemas['Filter'] {
    return { must: [...this.#must] };
  }
}

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
