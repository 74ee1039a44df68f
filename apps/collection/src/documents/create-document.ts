import { documentIndex } from '@lectern/messaging';
import { notFound, toAppError } from '@lectern/service-kit';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import type { NewDocument } from '#documents/insert-documents';

/**
 * Creates a document and queues its indexing. The same `externalId` in the collection replaces the
 * content of the existing document. Throws `not_found` if the collection no longer exists.
 */
export async function createDocument(context: Context, newDocument: NewDocument): Promise<DocumentWithCollection> {
  const document = await context
    .insertDocument(newDocument)
    .catch((error) => createdBefore(context, newDocument, error));
  if (document === undefined) throw notFound('collection', newDocument.collectionId);
  await queueIndexing(context, document);
  return document;
}

/**
 * Returns the document that an earlier attempt of the same call created; rethrows the error if that
 * was not the cause.
 */
async function createdBefore({ db }: Context, { id, teamId, collectionId }: NewDocument, error: unknown) {
  if (id === undefined || toAppError(error).code !== 'conflict') throw error;
  const where = { id, teamId, collectionId, status: { in: LIVE_STATES } };
  const document = await db.document.findFirst({ where, include: WITH_COLLECTION });
  if (document === null) throw error;
  return document;
}

/** The maximum number of documents to remember for queueing; the slower sweep queues the rest. */
const MAX_UNQUEUED = 10_000;

/** A document's stored version, ready to be queued. */
export interface StoredVersion {
  readonly id: string;
  readonly teamId: string;
  readonly version: number;
}

/**
 * Queues the indexing of a document's stored version and returns whether that worked. If not, it is
 * retried soon (`queueUnqueued`). The sweep makes up for lost messages.
 */
export async function queueIndexing(
  { messaging, log, unqueued }: Context,
  { id, teamId, version }: StoredVersion,
  attempt = 0,
): Promise<boolean> {
  try {
    await messaging.enqueue(documentIndex, { teamId, documentId: id }, `${id}:${version}:${attempt}`);
    unqueued.delete(id);
    return true;
  } catch (err) {
    log.warn({ err, documentId: id }, 'could not queue the indexing of a document; will retry');
    if (unqueued.size < MAX_UNQUEUED) unqueued.set(id, { id, teamId, version });
    return false;
  }
}

/** Queues documents that could not be queued when they were stored, until one fails again. */
export async function queueUnqueued(context: Context): Promise<void> {
  for (const document of context.unqueued.values()) if (!(await queueIndexing(context, document))) return;
}
