import { refOfUpload } from '@lectern/connectors';
import { AppError, newId } from '@lectern/service-kit';
import type { Connector, File, Prisma } from '#gen/prisma/client';
import { lockConnector } from '../connectors/lock-connector.ts';
import type { Context } from '../context.ts';
import { joinJob } from '../jobs/join-job.ts';
import { loosenBlobs, takeOverBlobs } from './loose-blobs.ts';
import type { ReceivedFile, ReceivedUpload } from './received-file.ts';

/** A committed upload: its files as they are kept, and the job that indexes them. */
export interface CommittedUpload {
  readonly files: readonly File[];
  readonly jobId: string;
}

const COMMIT_TIMEOUT_MS = 30_000;

/** Gives the reserved or earlier rows of the files their new content, in one statement. */
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
  await tx.$executeRaw`
    UPDATE files SET blob_key = sent.blob_key, size_bytes = sent.size_bytes, checksum = sent.checksum,
      mime_type = sent.mime_type, ref = coalesce(sent.ref, files.ref), status = 'pending',
      document_id = coalesce(sent.document_id, files.document_id), removed_at = NULL,
      metadata = ${JSON.stringify(metadata)}::jsonb, updated_at = ${updatedAt}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS sent
      (path text, blob_key text, size_bytes bigint, checksum text, mime_type text, document_id text, ref jsonb)
    WHERE files.connector_id = ${connectorId} AND files.source_id = sent.path`;
  const kept = await tx.file.findMany({ where: { connectorId, sourceId: { in: files.map((file) => file.path) } } });
  const byPath = new Map(kept.map((file) => [file.path, file]));
  return files.flatMap((file) => byPath.get(file.path) ?? []);
}

/** Every file has the row that was reserved for it; a deletion at the same moment may have taken one. */
function requireRows(rows: readonly File[], files: readonly ReceivedFile[], now: Date): void {
  const usable = new Set(rows.filter((row) => row.removedAt === null || row.removedAt > now).map((row) => row.path));
  const missing = files.find((file) => !usable.has(file.path));
  if (missing === undefined) return;
  throw new AppError('conflict', `The file ${missing.path} was deleted while it was uploaded. Upload it again.`, {
    details: { file: missing.path },
  });
}

/**
 * Makes an upload's files the connector's, in one transaction with the job items that index them: into the job that is at work on the
 * connector, else into a new one. Replaced bytes are let go.
 */
export async function commitUpload(
  ctx: Context,
  connector: Connector,
  upload: ReceivedUpload,
  documentIds: ReadonlyMap<string, string>,
): Promise<CommittedUpload> {
  const { files, metadata } = upload;
  return ctx.db.$transaction(
    async (tx) => {
      await lockConnector(tx, connector.id);
      const updatedAt = new Date();
      const paths = files.map((file) => file.path);
      const before = await tx.file.findMany({ where: { connectorId: connector.id, sourceId: { in: paths } } });
      requireRows(before, files, updatedAt);
      const taken = await takeOverBlobs(
        tx,
        files.filter((file) => file.ref === undefined).map((file) => file.blobKey),
      );
      if (!taken) throw new AppError('timeout', 'The upload took so long that its files were given up.');
      await loosenBlobs(
        tx,
        before.flatMap((file) => file.blobKey ?? []),
      );
      const refs = files.map((file) => file.ref ?? refOfUpload({ ...file, updatedAt, metadata }));
      const jobId = await joinJob(tx, { id: newId('job'), connector, refs });
      const kept = await replaceFiles(tx, connector.id, upload, documentIds, updatedAt);
      return { files: kept, jobId };
    },
    { timeout: COMMIT_TIMEOUT_MS, maxWait: 10_000 },
  );
}
