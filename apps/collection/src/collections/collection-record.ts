import type { Collection as CollectionRecord } from '@lectern/contracts';
import { type Caller, digestOf, isLimitedToOwn } from '@lectern/service-kit';
import type { Counts } from '@lectern/vector-store';
import { countMoving } from '#collections/change-model';
import { countRequired } from '#collections/count-required';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import type { Collection } from '#gen/prisma/client';
import { readableBy } from '#groups/readable-by';

/**
 * Returns the revision of the fields that an update can change. Counts are excluded: indexing a
 * document must not conflict with a rename.
 */
export const collectionRevision = ({ name, description, embeddingModel }: Collection): string =>
  digestOf([name, description, embeddingModel]);

interface ListedCounts extends Counts {
  /** Omitted if filters hide documents that are not indexed. */
  readonly failed?: number;
}

/**
 * Maps collections to the contract, with counts of the documents and passages that the caller can
 * read.
 */
export async function toCollectionRecords(
  context: Context,
  caller: Caller,
  rows: readonly Collection[],
): Promise<CollectionRecord[]> {
  const counts =
    caller.filters === undefined
      ? await countReadable(context, caller, rows)
      : await countFiltered(context, caller, rows);
  const moving = await countMoving(context.db, rows);
  return rows.map((row) => {
    const count = counts.get(row.id);
    return {
      id: row.id,
      name: row.name,
      description: row.description ?? undefined,
      documentCount: count?.documents ?? 0,
      // Like the errors of jobs, for those who manage the documents.
      failedCount: isLimitedToOwn(caller) || caller.publicOnly ? 0 : (count?.failed ?? 0),
      embeddingCount: count?.passages ?? 0,
      embeddingModel: row.embeddingModel,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      reindexing: moving.get(row.id) ?? 0,
      revision: collectionRevision(row),
    };
  });
}

async function countReadable(
  context: Context,
  caller: Caller,
  rows: readonly Collection[],
): Promise<ReadonlyMap<string, ListedCounts>> {
  const groups = await context.db.document.groupBy({
    by: ['collectionId', 'status'],
    where: {
      collectionId: { in: rows.map(({ id }) => id) },
      status: { in: LIVE_STATES },
      ...(await readableBy(context, caller)),
    },
    _count: { _all: true },
    _sum: { chunkCount: true },
  });
  const counts = new Map<string, ListedCounts>();
  for (const { collectionId, status, _count, _sum } of groups) {
    const before = counts.get(collectionId);
    counts.set(collectionId, {
      documents: (before?.documents ?? 0) + _count._all,
      passages: (before?.passages ?? 0) + (_sum.chunkCount ?? 0),
      failed: (before?.failed ?? 0) + (status === 'failed' ? _count._all : 0),
    });
  }
  return counts;
}

async function countFiltered(
  context: Context,
  caller: Caller,
  rows: readonly Collection[],
): Promise<ReadonlyMap<string, ListedCounts>> {
  const counts = new Map<string, ListedCounts>();
  for (const row of rows) counts.set(row.id, await countRequired(context, caller, row));
  return counts;
}

/** Maps one collection to the contract. */
export async function toCollectionRecord(context: Context, caller: Caller, row: Collection): Promise<CollectionRecord> {
  const [record] = await toCollectionRecords(context, caller, [row]);
  if (record === undefined) throw new Error('A collection has no record.');
  return record;
}
