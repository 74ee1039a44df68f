import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { type Condition, equals, oneOf } from '#filter/conditions';
import { ScopedFilter } from '#scope/scoped-filter';

interface TeamOnly extends CallOptions {
  readonly team: string;
}

export interface DeleteDocument extends TeamOnly {
  readonly document: string;
  /** Keeps this version and newer ones. Without it the whole document is deleted. */
  readonly beforeVersion?: number | undefined;
}

export interface DeleteDocuments extends TeamOnly {
  readonly documents: readonly string[];
}

export interface DeleteVersion extends TeamOnly {
  readonly document: string;
  readonly version: number;
}

export interface DeleteCollection extends TeamOnly {
  readonly collection: string;
}

/** Document ids per request. */
const DOCUMENTS_PER_REQUEST = 500;

/** Deletes the passages of a document, or only those of its older versions. */
export function deleteDocument(
  connection: QdrantConnection,
  collection: string,
  request: DeleteDocument,
): Promise<void> {
  const { document, beforeVersion } = request;
  const older: Condition[] = beforeVersion === undefined ? [] : [{ key: 'version', range: { lt: beforeVersion } }];
  return deleteWhere(connection, collection, request, [equals('document', document), ...older]);
}

/** Deletes the passages of many documents. */
export async function deleteDocuments(
  connection: QdrantConnection,
  collection: string,
  request: DeleteDocuments,
): Promise<void> {
  for (let at = 0; at < request.documents.length; at += DOCUMENTS_PER_REQUEST) {
    const documents = request.documents.slice(at, at + DOCUMENTS_PER_REQUEST);
    await deleteWhere(connection, collection, request, [oneOf('document', documents)]);
  }
}

/** Deletes the passages of one version of a document. */
export function deleteVersion(connection: QdrantConnection, collection: string, request: DeleteVersion): Promise<void> {
  const conditions = [equals('document', request.document), equals('version', request.version)];
  return deleteWhere(connection, collection, request, conditions);
}

/** Deletes all passages of a Lectern collection. */
export function deleteCollection(
  connection: QdrantConnection,
  collection: string,
  request: DeleteCollection,
): Promise<void> {
  return deleteWhere(connection, collection, request, [equals('collection', request.collection)]);
}

/** Does nothing if the model has no collection yet. */
async function deleteWhere(
  connection: QdrantConnection,
  collection: string,
  { team, signal }: TeamOnly,
  conditions: readonly Condition[],
): Promise<void> {
  const filter = ScopedFilter.within({ team })
    .and(...conditions)
    .toQdrant();
  await connection.write('delete', REQUESTS.remove(collection, filter), { signal, ifMissing: () => undefined });
}
