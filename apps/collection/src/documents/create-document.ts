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

/** So many that could not be queued are remembered; the rest is left to the sweep, which is slower. */
const MAX_UNQUEUED = 10_000;

/** A document's stored version, as its indexing is queued. */
export interface StoredVersion {
  readonly id: string;
  readonly teamId: string;
  readonly version: number;
}

/**
 * Queues the indexing of a document's stored version. Where that fails it is remembered and soon tried again (`queueUnqueued`); a message that is lost
 * is made up for by the sweep. True where it was queued.
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
    log.warn({ err, documentId: id }, 'indexing could not be queued, will be tried again');
    if (unqueued.size < MAX_UNQUEUED) unqueued.set(id, { id, teamId, version });
    return false;
  }
}

/** Queues the indexing of what could not be queued when it was stored, up to the first that fails again. */
export async function queueUnqueued(context: Context): Promise<void> {
  for (const document of context.unqueued.values()) if (!(await queueIndexing(context, document))) return;
}
