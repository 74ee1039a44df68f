import { documentIndex } from '@lectern/messaging';
import { notFound } from '@lectern/service-kit';
import type { Context } from '#context';
import type { DocumentWithCollection } from '#documents/document-record';
import type { NewDocument } from '#documents/insert-documents';

/**
 * Makes a document and queues its indexing. The same `externalId` in the collection replaces the content of the document that has it. Throws
 * `not_found` where the collection does not exist any more.
 */
export async function createDocument(context: Context, given: NewDocument): Promise<DocumentWithCollection> {
  const document = await context.insertDocument(given);
  if (document === undefined) throw notFound('collection', given.collectionId);
  await queueIndexing(context, document);
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
