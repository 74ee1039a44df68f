import { setImmediate as nextTurn } from 'node:timers/promises';
import { analyzePassage, DocumentEncoder } from '@lectern/embeddings';
import { createCache } from '@lectern/resilience';
import { AppError, withSpan } from '@lectern/service-kit';
import { ANALYSIS_VERSION, createTextSketcher } from '@lectern/text';
import { POINTS_VERSION, pointId } from '@lectern/vector-store';
import { renewDocument } from '#analysis/renew-document';
import type { Context } from '#context';
import type { Document } from '#gen/prisma/client';
import { LanguageCounts } from '#indexing/language-counts';

/** Documents per page. */
const BATCH = 50;

/** Rejected documents to remember. Beyond it, the oldest ones are tried again. */
const MAX_REJECTED = 10_000;

type IndexedDocument = Pick<
  Document,
  'id' | 'teamId' | 'indexedVersion' | 'indexedModel' | 'indexedAnalysis' | 'indexedPoints'
>;

/**
 * Creates a round that updates all documents that an earlier version of Lectern indexed: it stores
 * points of an older form again, and analyzes passages under an older analysis version again, in
 * place. Until then searches find the documents by their old points and words. If the process stops,
 * the next round continues with the remaining documents. A failed document does not block the
 * others. One that the vector store rejects is tried again after the next start.
 */
export function createAnalysisRefresher(context: Context): (signal: AbortSignal) => Promise<void> {
  const { db, log, store } = context;
  const rejected = createCache<string, true>({ maxEntries: MAX_REJECTED });
  // The store may lack a vector that the new rules fill.
  const upgraded = new Set<string>();
  return async (signal) => {
    let refreshed = 0;
    let renewed = 0;
    for (let after = ''; ; ) {
      const rows = await db.document.findMany({
        where: {
          OR: [{ indexedAnalysis: { lt: ANALYSIS_VERSION } }, { indexedPoints: { lt: POINTS_VERSION } }],
          id: { gt: after },
          indexedVersion: { gt: 0 },
          status: { in: ['indexed', 'failed'] },
        },
        select: {
          id: true,
          teamId: true,
          indexedVersion: true,
          indexedModel: true,
          indexedAnalysis: true,
          indexedPoints: true,
        },
        orderBy: { id: 'asc' },
        take: BATCH,
      });
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      for (const row of rows) {
        if (signal.aborted) return;
        if (rejected.has(row.id)) continue;
        const { indexedModel: model } = row;
        if (model !== null && !upgraded.has(model)) {
          await store.upgradeModel(model, { signal });
          upgraded.add(model);
        }
        try {
          if (row.indexedPoints < POINTS_VERSION) {
            if (!(await renewDocument(context, row, signal))) continue;
            renewed++;
          }
          if (row.indexedAnalysis >= ANALYSIS_VERSION) continue;
          if (await refreshDocument(context, row, signal)) refreshed++;
        } catch (err) {
          if (signal.aborted) return;
          const details = { err, documentId: row.id };
          if (isRejection(err)) {
            rejected.set(row.id, true);
            log.warn(details, 'could not update the passages of a document; will retry after the next start');
          } else {
            log.warn(details, 'could not update the passages of a document; will retry');
          }
        }
      }
    }
    if (renewed > 0) log.info({ documents: renewed }, 'stored the points of documents again under new ids');
    if (refreshed > 0) log.info({ documents: refreshed }, 're-analyzed documents');
  };
}

/** Whether the vector store rejected a request, which it would do again. */
function isRejection(err: unknown): boolean {
  return err instanceof AppError && err.code === 'internal_error';
}

/**
 * Returns false if the document was indexed again or deleted in the meantime; then no update is
 * needed.
 */
function refreshDocument(context: Context, row: IndexedDocument, signal: AbortSignal): Promise<boolean> {
  return withSpan('refresh analysis', { 'lectern.document_id': row.id }, async () => {
    const { db, store, sparse } = context;
    const { id, teamId: team, indexedVersion: version, indexedModel: model } = row;
    if (model === null) return false;
    const encoder = new DocumentEncoder();
    const sketcher = createTextSketcher();
    const languages = new LanguageCounts();
    for await (const page of store.scrollPassages(model, { team, document: id, signal })) {
      const passages = page.map((passage) => {
        sketcher.add(passage.text);
        const analyzed = analyzePassage(passage);
        languages.add(analyzed);
        encoder.add(analyzed);
        return { id: passage.id, sparse: sparse.encodeDocument(analyzed), language: analyzed.language };
      });
      if (!(await store.updateWords(model, { team, passages, signal }))) return false;
      await nextTurn();
    }
    const { ids, vector } = encoder.words();
    const first = { id: pointId(id, version, 0), terms: ids, words: vector, sketch: sketcher.sketch() };
    if (!(await store.updateWords(model, { team, passages: [], document: first, signal }))) return false;
    const updated = await db.$executeRaw`
      UPDATE documents SET indexed_analysis = ${ANALYSIS_VERSION}, languages = ${languages.list()}
      WHERE id = ${id} AND indexed_version = ${version} AND indexed_model = ${model} AND status IN ('indexed', 'failed')`;
    return updated > 0;
  });
}
