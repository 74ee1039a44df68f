import { documentIndex } from '@lectern/messaging';
import { newId } from '@lectern/service-kit';
import type { Context } from '#context';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import { toJson } from '#documents/metadata';
import { type NewContent, storeContent } from '#documents/store-content';
import { Prisma } from '#gen/prisma/client';

/** A document that is given to Lectern through the API. */
export interface NewDocument extends NewContent {
  readonly collectionId: string;
  readonly externalId: string | undefined;
  readonly source: string;
}

/**
 * Makes a document and queues its indexing. The same `externalId` in the collection replaces the content of the document that has it.
 */
export async function createDocument(
  context: Context,
  teamId: string,
  given: NewDocument,
): Promise<DocumentWithCollection> {
  const document = (await replaceByExternalId(context, teamId, given)) ?? (await insert(context, teamId, given));
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

async function replaceByExternalId(
  context: Context,
  teamId: string,
  given: NewDocument,
): Promise<DocumentWithCollection | undefined> {
  const { collectionId, externalId } = given;
  if (externalId === undefined) return undefined;
  return storeContent(context, { teamId, collectionId, connectorId: null, externalId }, given);
}

async function insert(context: Context, teamId: string, given: NewDocument): Promise<DocumentWithCollection> {
  const { collectionId, externalId, source, content, title, type, url, metadata, principals } = given;
  const id = newId('document');
  try {
    return await context.db.document.create({
      data: {
        id,
        teamId,
        collectionId,
        externalId: externalId ?? null,
        title,
        type,
        source,
        url: url ?? null,
        metadata: toJson(metadata),
        principals: [...principals],
        version: 1,
        sizeBytes: Buffer.byteLength(content),
        content: { create: { content } },
      },
      include: WITH_COLLECTION,
    });
  } catch (error) {
    // Another request made a document with this external id a moment ago.
    const taken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
    const other = taken ? await replaceByExternalId(context, teamId, given) : undefined;
    if (other === undefined) throw error;
    return other;
  }
}
