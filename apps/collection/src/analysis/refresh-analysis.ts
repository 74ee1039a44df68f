import { setImmediate as nextTurn } from 'node:timers/promises';
import { analyzePassage, DocumentEncoder } from '@lectern/embeddings';
import { withSpan } from '@lectern/service-kit';
import { ANALYSIS_VERSION, createTextSketcher } from '@lectern/text';
import { pointId } from '@lectern/vector-store';
import type { Context } from '#context';
import type { Document } from '#gen/prisma/client';
import { LanguageCounts } from '#indexing/language-counts';

/** Documents per page. */
const BATCH = 50;

type IndexedDocument = Pick<Document, 'id' | 'teamId' | 'indexedVersion' | 'indexedModel'>;

/**
 * Creates a round that updates all documents indexed under an older analysis version. It analyzes
 * their stored passages again, in place. Until then searches find the documents by their old words.
 * If the process stops, the next round continues with the remaining documents. A failed document
 * does not block the others.
 */
export function createAnalysisRefresher(context: Context): (signal: AbortSignal) => Promise<void> {
  const { db, log, store } = context;
  // The store may lack a vector that the new rules fill.
  const upgraded = new Set<string>();
  return async (signal) => {
    let refreshed = 0;
    for (let after = ''; ; ) {
      const rows = await db.document.findMany({
        where: {
          indexedAnalysis: { lt: ANALYSIS_VERSION },
          id: { gt: after },
          indexedVersion: { gt: 0 },
          status: { in: ['indexed', 'failed'] },
        },
        select: { id: true, teamId: true, indexedVersion: true, indexedModel: true },
        orderBy: { id: 'asc' },
        take: BATCH,
      });
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      for (const row of rows) {
        if (signal.aborted) return;
        try {
          const { indexedModel: model } = row;
          if (model !== null && !upgraded.has(model)) {
            await store.upgradeModel(model, { signal });
            upgraded.add(model);
          }
          if (await refreshDocument(context, row, signal)) refreshed++;
        } catch (err) {
          if (!signal.aborted) log.warn({ err, documentId: row.id }, 'could not re-analyze a document; will retry');
        }
      }
    }
    if (refreshed > 0) log.info({ documents: refreshed }, 're-analyzed documents');
  };
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
