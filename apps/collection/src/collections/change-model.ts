import type { Context } from '#context';
import { type Collection, Prisma } from '#gen/prisma/client';

/**
 * Changes a collection's embedding model. New documents are indexed under it; existing ones remain
 * under the old model, and searches find them there, until they are moved (`createModelMover`).
 * Does nothing if the collection already has the model.
 */
export async function changeModel(db: Prisma.TransactionClient, collectionId: string, model: string): Promise<void> {
  await setModel(db, Prisma.sql`id = ${collectionId}`, model);
}

/** Changes the embedding model of all collections of a team that use one of the models `from`. */
export async function changeTeamModel(
  db: Prisma.TransactionClient,
  teamId: string,
  from: readonly string[],
  to: string,
): Promise<void> {
  await setModel(db, Prisma.sql`team_id = ${teamId} AND embedding_model = ANY(${from}) AND deleted_at IS NULL`, to);
}

async function setModel(db: Prisma.TransactionClient, where: Prisma.Sql, model: string): Promise<void> {
  await db.$executeRaw`
    UPDATE collections SET embedding_model = ${model}, updated_at = now(),
      previous_models = array_remove(array_append(array_remove(previous_models, embedding_model), embedding_model), ${model})
    WHERE ${where} AND embedding_model <> ${model}`;
}

/** Counts the documents that are not moved to their collection's model yet, by collection. */
export async function countMoving(
  db: Context['db'],
  collections: readonly Collection[],
): Promise<ReadonlyMap<string, number>> {
  const moving = collections.filter(({ previousModels }) => previousModels.length > 0).map(({ id }) => id);
  if (moving.length === 0) return new Map();
  const counts = await db.$queryRaw<{ readonly id: string; readonly count: number }[]>`
    SELECT d.collection_id AS id, count(*)::int AS count FROM documents AS d JOIN collections AS c ON c.id = d.collection_id
    WHERE c.id = ANY(${moving}) AND d.status <> 'deleted' AND d.indexed_model <> c.embedding_model
    GROUP BY d.collection_id`;
  return new Map(counts.map(({ id, count }) => [id, count]));
}
