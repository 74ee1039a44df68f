import { createCache } from '@lectern/resilience';
import type { ConnectorCall } from '#connector';
import type { FoundPlaces, Place } from '#microsoft-365/listing/list-places';
import { SourceError } from '#source-error';

const CACHE_MS = 10 * 60_000;

export interface KnownPlaces<P> {
  find(call: ConnectorCall): Promise<FoundPlaces<P>>;
  /**
   * Returns the place if the connector covers it. Throws `forbidden` if that is unknown, because a
   * place is unreadable.
   */
  place(call: ConnectorCall, id: string): Promise<P | undefined>;
}

/** Keeps the places of the last search for some minutes. `what` is one of them in messages. */
export function createKnownPlaces<P extends Place & { readonly id: string }>(
  search: (call: ConnectorCall) => Promise<FoundPlaces<P>>,
  what: string,
): KnownPlaces<P> {
  const cache = createCache<string, FoundPlaces<P>>({ maxEntries: 1, ttlMs: CACHE_MS });
  const find = async (call: ConnectorCall): Promise<FoundPlaces<P>> => {
    const found = await search(call);
    cache.set('', found);
    return found;
  };
  const problemOf = ({ unreadable, unreadableEntries }: FoundPlaces<P>) =>
    unreadable[0]?.error.message ?? unreadableEntries[0]?.problem;
  return {
    find,
    place: async (call, id) => {
      const cached = cache.get('');
      const isKnown = (place: P) => place.id === id;
      if (cached?.places.some(isKnown) === true) return cached.places.find(isKnown);
      // An unreadable place can be readable again.
      const found = cached === undefined || problemOf(cached) !== undefined ? await find(call) : cached;
      const place = found.places.find(isKnown);
      const problem = problemOf(found);
      if (place !== undefined || problem === undefined) return place;
      const cause = found.unreadable[0]?.error;
      throw new SourceError('forbidden', `A ${what} is unreadable: ${problem}`, { cause });
    },
  };
}
