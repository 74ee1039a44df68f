import { newEvent, recordEvents } from '@lectern/events';
import type { Context } from '#context';
import { statesBefore } from '#document-status';

/** Marks a document `failed` with a readable error. Returns false if it is deleted or unknown. */
export const failDocument = (
  { db }: Context,
  teamId: string,
  id: string,
  error: { readonly code: string; readonly message: string },
): Promise<boolean> =>
  db.$transaction(async (tx) => {
    const [failed] = await tx.document.updateManyAndReturn({
      where: { id, teamId, status: { in: statesBefore('failed') } },
      data: { status: 'failed', errorCode: error.code, errorMessage: error.message },
      select: { collectionId: true, connectorId: true },
    });
    if (failed === undefined) return false;
    const { collectionId, connectorId } = failed;
    const data = { id, collectionId, connectorId, error: { code: error.code } };
    await recordEvents(tx, [
      newEvent({ type: 'document.failed', teamId, resource: id, collectionIds: [collectionId], data }),
    ]);
    return true;
  });
