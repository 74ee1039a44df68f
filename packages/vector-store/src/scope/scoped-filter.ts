import type { Filter } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import type { Schemas } from '@qdrant/js-client-rest';
import { compileFilter } from '#filter/compile-filter';
import { type Condition, equals, oneOf } from '#filter/conditions';

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
  /** Only passages of documents that match it. */
  readonly required?: Filter | undefined;
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
  static within({ team, collections, principals, required }: Scope, nothing = false): ScopedFilter {
    if (team === '') throw new AppError('internal_error', 'A request to the vector store has no team.');
    const must = [
      equals('team', team),
      ...(collections ? [oneOf('collection', collections)] : []),
      ...(principals ? [oneOf('principals', principals)] : []),
      ...(required ? [compileFilter(required)] : []),
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
