import { holdLease } from '@lectern/resilience';
import type { Context } from '#context';
import type { Collection } from '#gen/prisma/client';
import { moveCollection } from '#models/move-collection';

/**
 * Creates a round that moves all collections whose embedding model was changed. A process needs the
 * lease in the row to move a collection; it renews the lease during the move and releases it at the end,
 * and the lease expires if the process is killed. A failed collection does not block the others.
 */
export function createModelMover(context: Context): (signal: AbortSignal) => Promise<void> {
  const { db, log, config } = context;
  const leaseMs = config.SPACE_LEASE_MS;
  const leaseSeconds = leaseMs / 1_000;
  // Raw SQL, because the client would set `updatedAt` of the collection.
  const acquire = (id: string) => db.$executeRaw`
    UPDATE collections SET move_leased_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE id = ${id} AND (move_leased_until IS NULL OR move_leased_until < now())`;
  const renew = (id: string) => db.$executeRaw`
    UPDATE collections SET move_leased_until = now() + make_interval(secs => ${leaseSeconds}) WHERE id = ${id}`;
  const release = (id: string) => db.$executeRaw`UPDATE collections SET move_leased_until = NULL WHERE id = ${id}`;

  const move = async (collection: Collection, stop: AbortSignal): Promise<void> => {
    const { id } = collection;
    if ((await acquire(id)) === 0) return;
    const onRenewError = (err: unknown) =>
      log.warn({ err, collectionId: id }, 'could not renew the lease of a collection');
    const lease = holdLease(async () => (await renew(id)) > 0, { leaseMs, stop, onRenewError });
    try {
      await moveCollection(context, collection, lease.signal);
    } catch (err) {
      if (!stop.aborted) {
        log.warn({ err, collectionId: id }, 'could not move documents to their embedding model; will retry');
      }
    } finally {
      lease.stopRenewing();
      await release(id);
    }
  };

  return async (signal) => {
    const collections = await db.collection.findMany({
      where: { deletedAt: null, NOT: { previousModels: { isEmpty: true } } },
    });
    for (const collection of collections) {
      if (signal.aborted) return;
      await move(collection, signal);
    }
  };
}
