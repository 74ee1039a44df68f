import type { Document } from '@lectern/contracts';
import { type Caller, digestOf, isNarrowedByPrincipals } from '@lectern/service-kit';
import { COLLECTION_MODELS, type CollectionModels } from '#collections/collection-models';
import { toContractStatus } from '#document-status';
import { metadataOf } from '#documents/metadata';
import type { Collection, Document as DocumentRow } from '#gen/prisma/client';

/** A row with the name of its collection. */
export type DocumentWithCollection = DocumentRow & {
  readonly collection: Pick<Collection, 'name'> & CollectionModels;
};

/** The Prisma selection for `DocumentWithCollection`. */
export const WITH_COLLECTION = { collection: { select: { name: true, ...COLLECTION_MODELS } } } as const;

/** Returns the revision of the fields that clients write. Status and index are excluded. */
export function documentRevision(row: DocumentRow): string {
  // Principals are excluded: a caller who can see the document must not learn who else can, not
  // even by guessing a digest.
  const { version, title, url, source, type, metadata, externalId, collectionId } = row;
  return digestOf([version, title, url, source, type, metadata, externalId, collectionId]);
}

/**
 * Converts a document without its content. Only a caller that is not restricted by principals sees
 * the document's principals.
 */
export function toDocumentRecord(row: DocumentWithCollection, caller: Caller): Document {
  return {
    id: row.id,
    title: row.title,
    status: toContractStatus(row.status),
    error: row.errorCode === null ? undefined : { code: row.errorCode, message: row.errorMessage ?? '' },
    collectionId: row.collectionId,
    collectionName: row.collection.name,
    source: row.source,
    type: row.type,
    connectorId: row.connectorId ?? undefined,
    externalId: row.externalId ?? undefined,
    url: row.url ?? undefined,
    metadata: metadataOf(row),
    chunkCount: row.chunkCount,
    sizeBytes: row.sizeBytes,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    indexedAt: row.indexedAt ?? undefined,
    principals: isNarrowedByPrincipals(caller) ? undefined : { values: [...row.principals] },
    revision: documentRevision(row),
  };
}
