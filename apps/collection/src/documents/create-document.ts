import { documentIndex } from '@lectern/messaging';
import { notFound, toAppError } from '@lectern/service-kit';
import type { Context } from '#context';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import type { NewDocument } from '#documents/insert-documents';
import { LIVE_STATES } from '#documents/status';

/**
 * Makes a document and queues its indexing. The same `externalId` in the collection replaces the content of the document that has it. Throws
 * `not_found` where the collection does not exist any more.
 */
export async function createDocument(context: Context, given: NewDocument): Promise<DocumentWithCollection> {
  const document = await context.insertDocument(given).catch((error) => madeBefore(context, given, error));
  if (document === undefined) throw notFound('collection', given.collectionId);
  await queueIndexing(context, document);
  return document;
}

/** The document that an earlier try of the same call made; throws the failure where that was not its reason. */
async function madeBefore({ db }: Context, { id, teamId, collectionId }: NewDocument, error: unknown) {
  if (id === undefined || toAppError(error).code !== 'conflict') throw error;
  const where = { id, teamId, collectionId, status: { in: LIVE_STATES } };
  const document = await db.document.findFirst({ where, include: WITH_COLLECTION });
  if (document === null) throw error;
  return document;
}

/** Queues the indexing of a document's stored version. A message that is lost here is made up for by the sweep. */
export async function queueIndexing(
  { messaging, log }: Context,
  document: { readonly id: string; readonly teamId: string; readonly version: number },
  attempt = 0,
): Promise<void> {
  try {
    await messaging.enqueue(
      documentIndex,
      { teamId: document.teamId, documentId: document.id },
      `${document.id}:${document.version}:${attempt}`,
    );
  } catch (err) {
    log.warn({ err, documentId: document.id }, 'indexing is left to the sweep');
  }
}
