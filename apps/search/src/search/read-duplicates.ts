import { documentKey, type PassagePayload, type VectorStore } from '@lectern/vector-store';
import type { Group } from '#collapse/group-duplicates';
import { SEARCH_LIMITS } from '#limits';
import type { RankedMatch } from '#search/merge-rankings';
import type { SearchQuery } from '#search/search-query';

/** The near-duplicates of a result. */
export interface Duplicates {
  /** All of them. */
  readonly count: number;
  /** The best ones, in the order of the ranking, each by its first passage. */
  readonly documents: readonly PassagePayload[];
}

/**
 * Reads the best near-duplicates of the groups on a page, by the key of each group's first document.
 * Documents that the caller can no longer read are missing.
 */
export async function readDuplicates(
  store: VectorStore,
  { team, collections, principals, required }: SearchQuery,
  groups: readonly Group<RankedMatch>[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Duplicates>> {
  const scope = { team, collections: collections.map(({ id }) => id), principals, required, signal };
  const shown = groups.flatMap(({ duplicates }) => duplicates.slice(0, SEARCH_LIMITS.duplicates));
  const read = await Promise.all(
    [...Map.groupBy(shown, ({ source }) => source)].map(([{ match, firstPassages }, matches]) => {
      const onlyFirst = firstPassages(matches.map(({ key }) => key));
      return store.browse(match.model, { ...scope, onlyFirst, offset: 0, limit: onlyFirst.length });
    }),
  );
  const byKey = new Map(read.flat().map((payload) => [documentKey(payload.document), payload]));
  return new Map(
    groups
      .filter(({ duplicates }) => duplicates.length > 0)
      .map(({ first, duplicates }) => {
        const documents = duplicates.slice(0, SEARCH_LIMITS.duplicates).flatMap((match) => byKey.get(match.key) ?? []);
        return [first.key, { count: duplicates.length, documents }];
      }),
  );
}
