import { basename } from 'node:path/posix';
import { refOfUpload } from '@lectern/connectors';
import { AppError, newId } from '@lectern/service-kit';
import { lockConnector } from '#connectors/connector';
import type { Context } from '#context';
import { discardBlobs, takeOverBlobs } from '#files/blobs';
import { removeFile } from '#files/remove-file';
import type { Connector, File, Prisma } from '#gen/prisma/client';
import { addUploadedItems } from '#sync/store/new-items';
import type { ReceivedFile, ReceivedUpload } from '#uploads/receive-upload';

// --- Reserve documents ---

/** A reserved row that no upload takes over by then is removed, with its document. */
const RESERVED_MS = 3_600_000;
const BATCH = 100;

/** Finishes earlier removals of these paths: a new file must not be mistaken for a removed one. */
async function finishEarlierRemovals(ctx: Context, connectorId: string, paths: string[], signal: AbortSignal) {
  const removed = await ctx.db.file.findMany({
    where: { connectorId, sourceId: { in: paths }, removedAt: { lte: new Date() } },
  });
  for (const file of removed) await removeFile(ctx, file, { signal });
}

async function reserveRows(ctx: Context, connector: Connector, files: readonly ReceivedFile[]): Promise<void> {
  const removedAt = new Date(Date.now() + RESERVED_MS);
  await ctx.db.file.createMany({
    data: files.map(({ path, mimeType }) => ({
      id: newId('file'),
      teamId: connector.teamId,
      connectorId: connector.id,
      sourceId: path,
      path,
      mimeType,
      removedAt,
    })),
    skipDuplicates: true,
  });
}

/**
 * Creates documents for an upload's files, so that the response can contain their ids. Their rows
 * are reserved first, so that the sweeper removes both if this process crashes. Returns ids by path.
 */
export async function reserveDocuments(
  ctx: Context,
  connector: Connector,
  { files, metadata }: ReceivedUpload,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const paths = files.map((file) => file.path);
  await finishEarlierRemovals(ctx, connector.id, paths, signal);
  await reserveRows(ctx, connector, files);
  const ids = new Map<string, string>();
  for (let at = 0; at < files.length; at += BATCH) {
    const batch = files.slice(at, at + BATCH);
    const items = batch.map(({ path, mimeType, sizeBytes }) => ({
      externalId: path,
      title: basename(path),
      url: undefined,
      metadata: { mimeType, sizeBytes, fileName: basename(path), ...metadata },
    }));
    const { id: connectorId, collectionId, type: source, teamId } = connector;
    const registered = await ctx.index.register(teamId, { connectorId, collectionId, source, items }, signal);
    for (const [n, file] of batch.entries()) {
      const id = registered[n];
      if (id !== undefined) ids.set(file.path, id);
    }
  }
  return ids;
}

// --- Commit ---

/** The stored files of an upload, and the job that indexes them. */
export interface CommittedUpload {
  readonly files: readonly File[];
  readonly jobId: string;
}

const COMMIT_TIMEOUT_MS = 30_000;

/** Updates the reserved or earlier rows of the files in one statement. */
async function replaceFiles(
  tx: Prisma.TransactionClient,
  connectorId: string,
  { files, metadata }: ReceivedUpload,
  documentIds: ReadonlyMap<string, string>,
  updatedAt: Date,
): Promise<File[]> {
  const rows = files.map(({ path, blobKey, sizeBytes, checksum, mimeType, ref }) => ({
    path,
    blob_key: ref === undefined ? blobKey : null,
    ref: ref ?? null,
    size_bytes: sizeBytes,
    checksum,
    mime_type: mimeType,
    document_id: documentIds.get(path),
  }));
  const paths = files.map((file) => file.path);
  await tx.$executeRaw`
    SELECT FROM files WHERE connector_id = ${connectorId} AND source_id = ANY(${paths}) ORDER BY source_id FOR NO KEY UPDATE`;
  await tx.$executeRaw`
    UPDATE files SET blob_key = sent.blob_key, size_bytes = sent.size_bytes, checksum = sent.checksum,
      mime_type = sent.mime_type, ref = coalesce(sent.ref, files.ref), status = 'pending',
      document_id = coalesce(sent.document_id, files.document_id), removed_at = NULL,
      metadata = ${JSON.stringify(metadata)}::jsonb, updated_at = ${updatedAt}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS sent
      (path text, blob_key text, size_bytes bigint, checksum text, mime_type text, document_id text, ref jsonb)
    WHERE files.connector_id = ${connectorId} AND files.source_id = sent.path`;
  const stored = await tx.file.findMany({ where: { connectorId, sourceId: { in: paths } } });
  const byPath = new Map(stored.map((file) => [file.path, file]));
  return files.flatMap((file) => byPath.get(file.path) ?? []);
}

/** Throws `conflict` if a concurrent deletion took a reserved row. */
function requireRows(rows: readonly File[], files: readonly ReceivedFile[], now: Date): void {
  const usable = new Set(rows.filter((row) => row.removedAt === null || row.removedAt > now).map((row) => row.path));
  const missing = files.find((file) => !usable.has(file.path));
  if (missing === undefined) return;
  throw new AppError('conflict', `The file ${missing.path} was deleted while it was uploaded. Upload it again.`, {
    details: { file: missing.path },
  });
}

/**
 * Stores an upload's files and the job items that index them, in one transaction. The items go into
 * the connector's active job, or into a new one. Discards replaced bytes.
 */
export async function commitUpload(
  ctx: Context,
  connector: Connector,
  upload: ReceivedUpload,
  documentIds: ReadonlyMap<string, string>,
): Promise<CommittedUpload> {
  const { files, metadata } = upload;
  const paths = files.map((file) => file.path);
  const blobKeys = files.filter((file) => file.ref === undefined).map((file) => file.blobKey);
  return ctx.db.$transaction(
    async (tx) => {
      await lockConnector(tx, connector.id);
      const updatedAt = new Date();
      const before = await tx.file.findMany({ where: { connectorId: connector.id, sourceId: { in: paths } } });
      requireRows(before, files, updatedAt);
      if (!(await takeOverBlobs(tx, blobKeys))) {
        throw new AppError('timeout', 'The upload took too long and its files were discarded. Upload them again.');
      }
      await discardBlobs(tx, before);
      const refs = files.map((file) => file.ref ?? refOfUpload({ ...file, updatedAt, metadata }));
      const jobId = await addUploadedItems(tx, connector, refs);
      return { files: await replaceFiles(tx, connector.id, upload, documentIds, updatedAt), jobId };
    },
    { timeout: COMMIT_TIMEOUT_MS },
  );
}
