import { basename } from 'node:path/posix';
import type { FileCatalog, SourceRef, UploadedFile } from '@lectern/connectors';
import type { SourceFile } from '@lectern/contracts';
import { documentDeleted } from '@lectern/messaging';
import { createBatcher, newId } from '@lectern/service-kit';
import { jsonObject } from '#common/json';
import type { Context } from '#context';
import type { File, Prisma, PrismaClient } from '#gen/prisma/client';

// The rows of files: what Lectern knows about each item of a source.

/** Stores the files of listed items. Does not write rows of uploaded files and unchanged rows. */
export async function storeListedFiles(
  tx: Prisma.TransactionClient,
  { teamId, connectorId }: { readonly teamId: string; readonly connectorId: string },
  refs: readonly SourceRef[],
): Promise<void> {
  if (refs.length === 0) return;
  const rows = [...new Map(refs.map((ref) => [ref.id, ref])).values()].map((ref) => ({
    id: newId('file'),
    source_id: ref.id,
    path: ref.path,
    size_bytes: ref.sizeBytes ?? null,
    mime_type: ref.mimeType ?? null,
    ref,
  }));
  await tx.$executeRaw`
    INSERT INTO files (id, team_id, connector_id, source_id, path, size_bytes, mime_type, ref)
    SELECT listed.id, ${teamId}, ${connectorId}, listed.source_id, listed.path, coalesce(listed.size_bytes, 0),
      coalesce(listed.mime_type, 'application/octet-stream'), listed.ref
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS listed (id text, source_id text, path text, size_bytes bigint, mime_type text, ref jsonb)
    ORDER BY listed.source_id
    ON CONFLICT (connector_id, source_id) DO UPDATE
    SET path = excluded.path, ref = excluded.ref,
      size_bytes = CASE WHEN excluded.ref->'sizeBytes' IS NULL THEN files.size_bytes ELSE excluded.size_bytes END,
      mime_type = CASE WHEN excluded.ref->'mimeType' IS NULL THEN files.mime_type ELSE excluded.mime_type END,
      updated_at = now()
    WHERE files.blob_key IS NULL AND files.removed_at IS NULL AND files.ref IS DISTINCT FROM excluded.ref`;
}

function toUploaded(file: File): UploadedFile[] {
  if (file.blobKey === null) return [];
  const { path, blobKey, mimeType, updatedAt } = file;
  return [
    { path, blobKey, sizeBytes: Number(file.sizeBytes), mimeType, updatedAt, metadata: jsonObject(file.metadata) },
  ];
}

/** Files per query. */
const MAX_ROWS = 200;

/** Creates the access of `upload` connectors to their files. */
export function createFileCatalog(db: PrismaClient, connectorId: string): FileCatalog {
  // The files that are read at the same time share a query.
  const findRow = createBatcher({
    maxWeight: MAX_ROWS,
    work: async (paths: readonly string[]) => {
      const sourceId = { in: [...new Set(paths)] };
      const rows = await db.file.findMany({ where: { connectorId, sourceId, removedAt: null } });
      const byPath = new Map(rows.map((row) => [row.sourceId, row]));
      return paths.map((path) => byPath.get(path));
    },
  });
  return {
    page: async (after, limit) => {
      const rows = await db.file.findMany({
        where: {
          connectorId,
          removedAt: null,
          blobKey: { not: null },
          ...(after === undefined ? {} : { sourceId: { gt: after } }),
        },
        orderBy: { sourceId: 'asc' },
        take: limit,
      });
      return rows.flatMap(toUploaded);
    },
    find: async (path) => {
      const row = await findRow(path);
      return row === undefined ? undefined : toUploaded(row)[0];
    },
  };
}

/**
 * Marks the files of documents that were deleted manually. The indexed version is kept, so a sync in
 * auto mode does not restore them until their items change.
 */
export async function markDocumentsDeleted(
  db: PrismaClient,
  teamId: string,
  documentIds: readonly string[],
): Promise<void> {
  await db.file.updateMany({
    where: { teamId, documentId: { in: [...documentIds] } },
    data: { documentId: null, status: 'deleted' },
  });
}

/**
 * Subscribes to document deletions. After a missed event the file names a deleted document until
 * its next sync.
 */
export function subscribeToDeletedDocuments(ctx: Context): () => void {
  return ctx.messaging.listen(documentDeleted, [], ({ teamId, documentId }) => {
    markDocumentsDeleted(ctx.db, teamId, [documentId]).catch((err: unknown) =>
      ctx.log.warn({ err, documentId }, 'could not mark the file of a deleted document'),
    );
  });
}

/** Converts a file's row to its contract form. */
export function toFileMessage(row: File): SourceFile {
  return {
    id: row.id,
    name: basename(row.path),
    path: row.path,
    sizeBytes: Number(row.sizeBytes),
    mimeType: row.mimeType,
    checksum: row.checksum,
    documentId: row.documentId ?? '',
    status: row.status,
    updatedAt: row.updatedAt,
  };
}
