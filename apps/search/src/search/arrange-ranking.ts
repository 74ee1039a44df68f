import type { DocumentTraits, VectorStore } from '@lectern/vector-store';
import { type Group, groupDuplicates } from '#collapse/group-duplicates';
import type { RankedMatch } from '#search/merge-rankings';
import { recencyFactor } from '#search/recency';
import type { SearchQuery } from '#search/search-query';

/**
 * Applies the options of a request to its whole ranking: prefers recent documents, then groups
 * near-duplicates. Every page is cut from the same result.
 */
export async function arrangeRanking(
  store: VectorStore,
  query: SearchQuery,
  ranking: readonly RankedMatch[],
  signal: AbortSignal,
): Promise<readonly Group<RankedMatch>[]> {
  const { recency, collapse } = query;
  if (recency === undefined && collapse === undefined) return ranking.map((first) => ({ first, duplicates: [] }));
  const traits = await traitsOf(store, query, ranking, signal);
  const ordered =
    recency === undefined
      ? ranking
      : ranking
          .map((match) => ({
            ...match,
            score: match.score * recencyFactor(recency, traits.get(match.key)?.updatedAt),
          }))
          .sort((a, b) => b.score - a.score);
  if (collapse === undefined) return ordered.map((first) => ({ first, duplicates: [] }));
  return groupDuplicates(ordered, ({ key }) => traits.get(key)?.sketch);
}

/** Reads the traits of ranked documents within the caller's scope, with one request per model. */
async function traitsOf(
  store: VectorStore,
  { team, collections, principals, required }: SearchQuery,
  ranking: readonly RankedMatch[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DocumentTraits>> {
  const scope = { team, collections: collections.map(({ id }) => id), principals, required, signal };
  const read = await Promise.all(
    [...Map.groupBy(ranking, ({ source }) => source)].map(([{ match, firstPassages }, matches]) =>
      store.readTraits(match.model, { ...scope, first: firstPassages(matches.map(({ key }) => key)) }),
    ),
  );
  return new Map(read.flatMap((traits) => [...traits]));
}
