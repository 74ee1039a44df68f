import { type Caller, requiredFilter } from '@lectern/service-kit';
import { type Counts, matchesFilter } from '@lectern/vector-store';
import { modelsOf } from '#collections/collection-models';
import type { Context } from '#context';
import { metadataOf } from '#documents/metadata';
import type { Collection, Document } from '#gen/prisma/client';
import { principalsOfCaller } from '#groups/principals-of-user';

// The filters of a user token. A document at hand is compared with its current row, so a change of
// its metadata takes effect immediately; documents are counted in the index.

/** The columns that filters compare. */
export const FILTERED_COLUMNS = {
  id: true,
  title: true,
  source: true,
  connectorId: true,
  collectionId: true,
  type: true,
  metadata: true,
  createdAt: true,
  updatedAt: true,
} as const;

type FilteredRow = Pick<Document, keyof typeof FILTERED_COLUMNS>;

/** Returns the function that checks documents against the filters of a caller; undefined without filters. */
export function requirementOf(caller: Caller): ((row: FilteredRow) => boolean) | undefined {
  const filter = requiredFilter(caller);
  if (filter === undefined) return undefined;
  return ({ connectorId, collectionId, createdAt, updatedAt, ...row }) =>
    matchesFilter(filter, {
      title: row.title,
      source: row.source,
      type: row.type,
      connector: connectorId ?? undefined,
      collection: collectionId,
      metadata: metadataOf(row),
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    });
}

/** Counts the indexed documents of a collection that a caller with filters can read. */
export async function countRequired(
  context: Context,
  caller: Caller,
  collection: Pick<Collection, 'id' | 'embeddingModel' | 'previousModels'>,
): Promise<Counts> {
  const scope = {
    team: caller.teamId,
    collections: [collection.id],
    principals: await principalsOfCaller(context, caller),
    required: requiredFilter(caller),
  };
  const counts = await Promise.all(modelsOf(collection).map((model) => context.store.count(model, scope)));
  const sum = (name: keyof Counts) => counts.reduce((total, count) => total + count[name], 0);
  return { documents: sum('documents'), passages: sum('passages') };
}
