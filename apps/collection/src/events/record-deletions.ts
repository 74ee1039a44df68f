import { newEvent, recordEvents } from '@lectern/events';
import type { Document, Prisma } from '#gen/prisma/client';

/** Rows in one statement. */
const BATCH = 1_000;

type DeletedDocument = Pick<Document, 'id' | 'teamId' | 'collectionId' | 'connectorId'>;

/** Records the events of deleted documents, in the transaction of the deletion. */
export async function recordDeletions(
  tx: Prisma.TransactionClient,
  documents: readonly DeletedDocument[],
): Promise<void> {
  for (let from = 0; from < documents.length; from += BATCH) {
    const events = documents.slice(from, from + BATCH).map(({ id, teamId, collectionId, connectorId }) => {
      const data = { id, collectionId, connectorId };
      return newEvent({ type: 'document.deleted', teamId, resource: id, collectionIds: [collectionId], data });
    });
    await recordEvents(tx, events);
  }
}
