import { isDeepStrictEqual } from 'node:util';
import { AppError, withSpan } from '@lectern/service-kit';
import { ANALYSIS_VERSION } from '@lectern/text';
import { POINTS_VERSION } from '@lectern/vector-store';
import type { Context } from '#context';
import type { DocumentWithCollection } from '#documents/document-record';
import { discardPassages, storePassages } from '#indexing/index-document';

/**
 * Indexes a document under its collection's current model; version, status and dates do not change.
 * Like all indexing, it writes new passages, then the row, then deletes the old passages. Searches
 * therefore always find the document, and a crash or a concurrent run is harmless. If the row changed in
 * the meantime, the new passages are deleted.
 */
export function moveDocument(
  context: Context,
  row: DocumentWithCollection,
  content: string,
  signal: AbortSignal,
): Promise<void> {
  return withSpan('move document', { 'lectern.document_id': row.id }, async () => {
    const { db, store } = context;
    const { id, teamId: team, version, indexedModel: before } = row;
    const model = row.collection.embeddingModel;
    const { chunkCount, languages } = await storePassages(context, row, content, signal);
    const [moved] = await db.$queryRaw<{ readonly principals: string[] }[]>`
      UPDATE documents AS d
      SET indexed_model = ${model}, chunk_count = ${chunkCount}, indexed_analysis = ${ANALYSIS_VERSION},
        indexed_points = ${POINTS_VERSION}, languages = ${languages}
      FROM collections AS c
      WHERE d.id = ${id} AND d.version = ${version} AND d.indexed_version = ${version} AND d.indexed_model = ${before}
        AND d.status <> 'deleted' AND c.id = d.collection_id AND c.embedding_model = ${model}
      RETURNING d.principals`;
    if (moved === undefined) {
      await discardPassages(context, row, model).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'not_found')) throw error;
      });
      return;
    }
    if (!isDeepStrictEqual(moved.principals, row.principals)) {
      await store.setPrincipals(model, { team, documents: [id], principals: moved.principals, signal });
    }
    if (before !== null) await store.deleteDocument(before, { team, document: id });
  });
}
