import { createCache } from '@lectern/resilience';
import { AppError } from '@lectern/service-kit';
import { isUnknownVector } from '#connection/translate-error';

/** How long a collection is used without the vector after the server rejected it. */
const MISSING_MS = 60_000;

const MAX_COLLECTIONS = 1_000;

/**
 * Knows which collections lack the vector of whole documents: those made by an older version, until
 * `ensureModel` adds it, and all collections of a server that cannot add vectors.
 */
export class DocumentVectors {
  readonly #missing = createCache<string, true>({ maxEntries: MAX_COLLECTIONS, ttlMs: MISSING_MS });

  /** Runs `work` with the vector; without it if the collection lacks it. */
  async use<Result>(collection: string, work: (hasVector: boolean) => Promise<Result>): Promise<Result> {
    if (this.#missing.has(collection)) return work(false);
    try {
      return await work(true);
    } catch (error) {
      if (!(error instanceof AppError && isUnknownVector(error.cause))) throw error;
      this.#missing.set(collection, true);
      return work(false);
    }
  }

  /** The collection may have the vector now. */
  forget(collection: string): void {
    this.#missing.delete(collection);
  }
}
