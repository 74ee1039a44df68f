import { createCache } from '@lectern/resilience';
import type { Context } from '#context';
import { BASE_SPACE, type Corpus, readySpaces } from '#spaces/active-spaces';

/**
 * The share of the settling time for which a cached space is used: passages move only when all
 * processes know the new space.
 */
const SHARE_OF_SETTLING = 0.05;

const MAX_CORPORA = 10_000;

/**
 * Returns the space that new passages of a corpus go to. Cached, so that a sync does not query it
 * for each document.
 */
export function createNewestSpaces(db: Context['db'], settleMs: number): (corpus: Corpus) => Promise<string> {
  const known = createCache<string, Promise<string>>({ maxEntries: MAX_CORPORA, ttlMs: settleMs * SHARE_OF_SETTLING });
  return (corpus) => {
    const key = JSON.stringify([corpus.teamId, corpus.embeddingModel]);
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const space = readySpaces({ db }, corpus).then(([newest]) => newest?.id ?? BASE_SPACE);
    // The caller handles a rejection; it is not cached.
    space.catch(() => known.delete(key));
    known.set(key, space);
    return space;
  };
}
