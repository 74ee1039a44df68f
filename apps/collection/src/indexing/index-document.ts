import { isDeepStrictEqual } from 'node:util';
import { notFound, withSpan } from '@lectern/service-kit';
import { modelsOf } from '#collections/collection-models';
import type { Context } from '#context';
import { type DocumentWithCollection, WITH_COLLECTION } from '#documents/document-record';
import type { Document } from '#gen/prisma/client';
import { buildPassages } from '#indexing/build-passages';
import { LanguageCounts } from '#indexing/language-counts';
import { reuseVectors } from '#indexing/reuse-vectors';
import { createPassageEncoder } from '#spaces/passage-encoder';

/**
 * Indexes a version of a document. The order of writes makes crashes and concurrent runs safe:
 * first the passages of the new version (their ids are made of document, version and chunk), then
 * the row, then the old version's passages are deleted. A run that finds the row changed deletes
 * its own passages. Whoever may not read the new version loses access to the old one first. Throws
 * `not_found` if the document was deleted in the meantime.
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
  const { store, writes } = context;
  const { id, teamId: team, version } = row;
  const model = row.collection.embeddingModel;
  await narrowOlderVersions(context, row, signal);
  const stored = await storePassages(context, row, content, signal);
  const { chunkCount } = stored;
  const indexed = await writes.commit({ id, version, model, ...stored });
  if (indexed === undefined) {
    const now = await discardPassages(context, row, model);
    const isOfAnotherModel = now.status === 'processing' && now.version === version;
    return isOfAnotherModel && now.collection.embeddingModel !== model
      ? writeVersion(context, now, content, signal)
      : now;
  }
  // Permissions may have changed in the meantime.
  if (!isDeepStrictEqual(indexed.principals, row.principals)) {
    await store.setPrincipals(model, { team, documents: [id], principals: indexed.principals, signal });
  }
  // Versions count from 1. For new documents this saves a write that waits for the disk.
  if (version > 1) await store.deleteDocument(model, { team, document: id, beforeVersion: version });
  const before = row.indexedModel;
  if (before !== null && before !== model) await store.deleteDocument(before, { team, document: id });
  return { ...row, ...indexed, status: 'indexed', indexedVersion: version, indexedModel: model, chunkCount };
}

/**
 * Takes the old version from readers that the new one leaves out: searches find it until the new one is
 * complete.
 */
async function narrowOlderVersions({ store }: Context, row: DocumentWithCollection, signal: AbortSignal) {
  const { id: document, teamId: team, version: beforeVersion, principals } = row;
  if (beforeVersion === 1) return;
  for (const model of modelsOf(row.collection)) {
    await store.narrowPrincipals(model, { team, document, beforeVersion, principals, signal });
  }
}

/** Passages in the vector store. */
export interface StoredPassages {
  readonly chunkCount: number;
  /** Their languages, the most frequent first. */
  readonly languages: readonly string[];
}

/** Stores the passages of a row's version under its collection's model. */
export async function storePassages(
  context: Context,
  row: DocumentWithCollection,
  content: string,
  signal: AbortSignal,
): Promise<StoredPassages> {
  const { id, teamId: team } = row;
  const model = row.collection.embeddingModel;
  const encode = await reuseVectors(
    context,
    { team, document: id, model },
    await createPassageEncoder(context, { teamId: team, embeddingModel: model }, signal),
    signal,
  );
  let chunkCount = 0;
  const languages = new LanguageCounts();
  const encoders = { encode, sparse: context.sparse };
  for await (const passages of buildPassages(encoders, row, content, languages, signal)) {
    await context.writes.upsert(model, passages);
    chunkCount += passages.length;
  }
  return { chunkCount, languages: languages.list() };
}

/**
 * Deletes the passages of a version whose row has changed in the meantime, unless the row still
 * refers to them. Returns the current row.
 */
export async function discardPassages(
  { db, store }: Context,
  { id, teamId: team, version }: Pick<Document, 'id' | 'teamId' | 'version'>,
  model: string,
): Promise<DocumentWithCollection> {
  const now = await db.document.findUnique({ where: { id }, include: WITH_COLLECTION });
  if (now === null || now.status === 'deleted') {
    await store.deleteDocument(model, { team, document: id });
    throw notFound('document', id);
  }
  const isCurrent = now.indexedVersion === version && now.indexedModel === model;
  if (!isCurrent) await store.deleteVersion(model, { team, document: id, version });
  return now;
}
