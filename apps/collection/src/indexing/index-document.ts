import { isDeepStrictEqual } from 'node:util';
import { notFound, withSpan } from '@lectern/service-kit';
import type { Context } from '#context';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import { buildPassages } from '#indexing/build-passages';
import { reuseVectors } from '#indexing/reuse-vectors';
import { createPassageEncoder } from '#spaces/passage-encoder';

/** Indexes the version of a document that is stored now, as `indexVersion` does. Throws `not_found` where the document is deleted. */
export async function indexDocument(
  context: Context,
  id: string,
  signal: AbortSignal,
): Promise<DocumentWithCollection> {
  const row = await context.db.document.findUnique({ where: { id }, include: { ...WITH_COLLECTION, content: true } });
  if (row === null || row.status === 'deleted' || row.content === null) throw notFound('document', id);
  return indexVersion(context, row, row.content.content, signal);
}

/**
 * Indexes a version of a document. The order of writes makes it safe to be killed anywhere and to run twice at once: passages of the new
 * version first (their ids are made of document, version and chunk), then the row, then the old version's passages go. Whoever finds that the
 * row has moved on takes its own passages back. Throws `not_found` where the document was deleted meanwhile.
 */
export function indexVersion(
  context: Context,
  row: DocumentWithCollection,
  content: string,
  signal: AbortSignal,
): Promise<DocumentWithCollection> {
  return withSpan('index document', { 'lectern.document_id': row.id }, () =>
    writeVersion(context, row, content, signal),
  );
}

async function writeVersion(
  context: Context,
  row: DocumentWithCollection,
  content: string,
  signal: AbortSignal,
): Promise<DocumentWithCollection> {
  const { db, store } = context;
  const { id, teamId: team, version } = row;
  const model = row.collection.embeddingModel;
  const encode = await reuseVectors(
    context,
    { team, document: id, model },
    await createPassageEncoder(context, { teamId: team, embeddingModel: model }, signal),
    signal,
  );

  let chunkCount = 0;
  for await (const passages of buildPassages({ encode, sparse: context.sparse }, row, content, signal)) {
    await store.upsertPassages(model, passages, { signal });
    chunkCount += passages.length;
  }
  const [indexed] = await db.document.updateManyAndReturn({
    where: { id, version, status: 'processing' },
    data: { status: 'indexed', indexedVersion: version, chunkCount, indexedAt: new Date() },
  });
  if (indexed === undefined) return takeBack(context, { id, team, version, model });
  // Permissions may have been read anew meanwhile.
  if (!isDeepStrictEqual(indexed.principals, row.principals)) {
    await store.setPrincipals(model, { team, documents: [id], principals: indexed.principals, signal });
  }
  // Versions count from 1. What most documents of a sync are spared is a write that waits for the disk.
  if (version > 1) await store.deleteDocument(model, { team, document: id, beforeVersion: version });
  return { ...indexed, collection: row.collection };
}

interface IndexedVersion {
  readonly id: string;
  readonly team: string;
  readonly version: number;
  readonly model: string;
}

/** The row moved on while its passages were written: removes those that nothing stands for. */
async function takeBack(
  { db, store }: Context,
  { id, team, version, model }: IndexedVersion,
): Promise<DocumentWithCollection> {
  const now = await db.document.findUnique({ where: { id }, include: WITH_COLLECTION });
  if (now === null || now.status === 'deleted') {
    await store.deleteDocument(model, { team, document: id });
    throw notFound('document', id);
  }
  if (now.indexedVersion !== version) await store.deleteVersion(model, { team, document: id, version });
  return now;
}
