import type { GetIndexingStateRequest, IndexingState } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { COLLECTION_MODELS } from '#collections/collection-models';
import { countRequired } from '#collections/count-required';
import { collectionsInScope, findCollection } from '#collections/find-collection';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { readableBy } from '#groups/readable-by';

/** Returns what the caller can search in the named collections, or in all. */
export const getIndexingState =
  (context: Context) =>
  async ({ collectionIds }: GetIndexingStateRequest, { caller }: ServiceCall): Promise<IndexingState> => {
    const { db } = context;
    const collections =
      collectionIds.length === 0
        ? await db.collection.findMany({
            where: collectionsInScope(caller),
            select: { id: true, languages: true, ...COLLECTION_MODELS },
          })
        : await Promise.all(collectionIds.map((id) => findCollection(context, caller, id)));
    if (caller.filters !== undefined) {
      // Which documents will meet the filters is known once they are indexed.
      const counts = await Promise.all(collections.map((collection) => countRequired(context, caller, collection)));
      const searchable = counts.some(({ documents }) => documents > 0);
      return { searchable, pendingCount: 0, languages: mostFrequent(collections) };
    }
    const readable = {
      teamId: caller.teamId,
      collectionId: { in: collections.map(({ id }) => id) },
      ...(await readableBy(context, caller)),
    };
    const [indexed, pendingCount] = await Promise.all([
      db.document.findFirst({
        where: { ...readable, status: { in: LIVE_STATES }, indexedVersion: { gt: 0 } },
        select: { id: true },
      }),
      db.document.count({ where: { ...readable, status: { in: ['pending', 'processing'] } } }),
    ]);
    return { searchable: indexed !== null, pendingCount, languages: mostFrequent(collections) };
  };

/** Merges lists that start with the most frequent language. */
function mostFrequent(collections: readonly { readonly languages: readonly string[] }[]): string[] {
  const weights = new Map<string, number>();
  for (const { languages } of collections) {
    for (const [rank, language] of languages.entries()) {
      weights.set(language, (weights.get(language) ?? 0) + 1 / (rank + 1));
    }
  }
  return [...weights].sort(([, a], [, b]) => b - a).map(([language]) => language);
}
