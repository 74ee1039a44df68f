import type { Context } from '#context';
import { moveCollection } from '#models/move-collection';

/**
 * Makes the work of a round over all collections whose embedding model was changed. One process at a time moves a collection: it holds a lease in the
 * row, renews it while it is at work, and gives it back; that of a process that was killed runs out. A collection that fails does not hold up the
 * others.
 */
export function createModelMover(context: Context): (signal: AbortSignal) => Promise<void> {
  const { db, log, config } = context;
  const leaseSeconds = config.SPACE_LEASE_MS / 1_000;
  // Not by the client, which would note a change of the collection.
  const take = (id: string) => db.$executeRaw`
    UPDATE collections SET move_leased_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE id = ${id} AND (move_leased_until IS NULL OR move_leased_until < now())`;
  const renew = (id: string) => db.$executeRaw`
    UPDATE collections SET move_leased_until = now() + make_interval(secs => ${leaseSeconds}) WHERE id = ${id}`;
  const giveBack = (id: string) => db.$executeRaw`UPDATE collections SET move_leased_until = NULL WHERE id = ${id}`;

  return async (signal) => {
    const collections = await db.collection.findMany({
      where: { deletedAt: null, NOT: { previousModels: { isEmpty: true } } },
    });
    for (const collection of collections) {
      if (signal.aborted) return;
      const { id } = collection;
      if ((await take(id)) === 0) continue;
      const renewing = setInterval(() => {
        renew(id).catch((err: unknown) => log.warn({ err, collectionId: id }, 'a lease was not renewed'));
      }, config.SPACE_LEASE_MS / 3);
      try {
        await moveCollection(context, collection, signal);
      } catch (err) {
        if (!signal.aborted)
          log.warn({ err, collectionId: id }, 'documents could not be moved to a model, will be tried again');
      } finally {
        clearInterval(renewing);
        await giveBack(id);
      }
    }
  };
}
