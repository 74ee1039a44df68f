import { withSpan } from '@lectern/service-kit';
import { POINTS_VERSION } from '@lectern/vector-store';
import type { Context } from '#context';
import type { Document } from '#gen/prisma/client';

type IndexedDocument = Pick<Document, 'id' | 'teamId' | 'indexedVersion' | 'indexedModel'>;

/** Longer than the deadlines of a read and a write of the vector store together. */
const PAGE_MS = 90_000;

/**
 * Stores the points of a document again in the current form. The row is locked while a page is read
 * and written, so that no deletion and no change of the readers is undone; it is changed last. A
 * crash is harmless. Returns false if the document was indexed again or deleted in the meantime.
 */
export function renewDocument(context: Context, row: IndexedDocument, signal: AbortSignal): Promise<boolean> {
  return withSpan('renew points', { 'lectern.document_id': row.id }, async () => {
    const { db, store } = context;
    const { id, teamId: team, indexedVersion: version, indexedModel: model } = row;
    if (model === null) return false;
    for await (const ids of store.scrollFormerIds(model, { team, document: id, signal })) {
      const isCurrent = await db.$transaction(
        async (tx) => {
          const [current] = await tx.$queryRaw<{ readonly principals: string[] }[]>`
            SELECT principals FROM documents
            WHERE id = ${id} AND indexed_version = ${version} AND indexed_model = ${model} AND status IN ('indexed', 'failed')
            FOR UPDATE`;
          if (current === undefined) return false;
          await store.renewPoints(model, { team, ids, principals: current.principals, signal });
          return true;
        },
        { timeout: PAGE_MS },
      );
      if (!isCurrent) return false;
    }
    const renewed = await db.$executeRaw`
      UPDATE documents SET indexed_points = ${POINTS_VERSION}
      WHERE id = ${id} AND indexed_version = ${version} AND indexed_model = ${model} AND status IN ('indexed', 'failed')`;
    return renewed > 0;
  });
}
