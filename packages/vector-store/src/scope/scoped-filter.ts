import { AppError } from '@lectern/service-kit';
import type { Schemas } from '@qdrant/js-client-rest';

export type Condition = Schemas['Condition'];

/** What a caller may reach. Every request that reads or deletes passages carries one. */
export interface Scope {
  readonly team: string;
  /** Only these collections; undefined is all of the team's, an empty list none. */
  readonly collections?: readonly string[] | undefined;
  /** Only what one of these may read; undefined asks for no permission, an empty list reaches nothing. */
  readonly principals?: readonly string[] | undefined;
}

/**
 * A Qdrant filter that names a team. Requests are built from this class alone and it can be made only from a scope, so a request over all teams
 * cannot be written by oversight: it would not compile.
 */
export class ScopedFilter {
  readonly #must: readonly Condition[];

  /** True where the scope leaves nothing to find; such a request is answered without asking Qdrant. */
  readonly reachesNothing: boolean;

  private constructor(must: readonly Condition[], reachesNothing: boolean) {
    this.#must = must;
    this.reachesNothing = reachesNothing;
  }

  /**
   * @param nothing whether the request leaves nothing to find for reasons of its own
   * @throws AppError `internal_error` where the team is empty, which would be a fault of the caller
   */
  static within({ team, collections, principals }: Scope, nothing = false): ScopedFilter {
    if (team === '') throw new AppError('internal_error', 'A request to the vector store named no team.');
    const must = [
      equals('team', team),
      ...(collections ? [oneOf('collection', collections)] : []),
      ...(principals ? [oneOf('principals', principals)] : []),
    ];
    return new ScopedFilter(must, nothing || collections?.length === 0 || principals?.length === 0);
  }

  /** The same scope, narrowed. */
  and(...conditions: readonly Condition[]): ScopedFilter {
    return new ScopedFilter([...this.#must, ...conditions], this.reachesNothing);
  }

  toQdrant(): Schemas['Filter'] {
    return { must: [...this.#must] };
  }
}

/** Points whose field is `value`, or, where it is a list, holds it. */
export function equals(key: string, value: string | number | boolean): Condition {
  return { key, match: { value } };
}

/** Points whose field is, or holds, one of `values`. */
export function oneOf(key: string, values: readonly string[]): Condition {
  return { key, match: { any: [...values] } };
}
