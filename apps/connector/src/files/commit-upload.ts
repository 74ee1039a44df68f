import { refOfUpload } from '@lectern/connectors';
import { AppError, newId } from '@lectern/service-kit';
import type { Connector, File, Prisma } from '#gen/prisma/client';
import { lockConnector } from '../connectors/lock-connector.ts';
import type { Context } from '../context.ts';
import { joinJob } from '../jobs/join-job.ts';
import { toJson } from '../jobs/json-ref.ts';
import { loosenBlobs, takeOverBlobs } from './loose-blobs.ts';
import type { ReceivedFile, ReceivedUpload } from './received-file.ts';

/** A committed upload: its files as they are kept, and the job that indexes them. */
export interface CommittedUpload {
  readonly files: readonly File[];
  readonly jobId: string;
}

const COMMIT_TIMEOUT_MS = 30_000;

async function replaceFile(
  tx: Prisma.TransactionClient,
  file: ReceivedFile,
  connectorId: string,
  kept: {
    readonly documentId: string | undefined;
    readonly metadata: Prisma.InputJsonObject;
    readonly updatedAt: Date;
  },
): Promise<File> {
  const { path, blobKey, sizeBytes, checksum, mimeType } = file;
  const { documentId, metadata, updatedAt } = kept;
  return tx.file.update({
    where: { connectorId_sourceId: { connectorId, sourceId: path } },
    data: {
      blobKey,
      sizeBytes,
      checksum,
      mimeType,
      metadata,
      status: 'pending',
      removedAt: null,
      updatedAt,
      ...(documentId === undefined ? {} : { documentId }),
    },
  });
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
  { files, metadata }: ReceivedUpload,
  documentIds: ReadonlyMap<string, string>,
): Promise<CommittedUpload> {
  return ctx.db.$transaction(
    async (tx) => {
      await lockConnector(tx, connector.id);
      const updatedAt = new Date();
      const paths = files.map((file) => file.path);
      const before = await tx.file.findMany({ where: { connectorId: connector.id, sourceId: { in: paths } } });
      requireRows(before, files, updatedAt);
      const taken = await takeOverBlobs(
        tx,
        files.map((file) => file.blobKey),
      );
      if (!taken) throw new AppError('timeout', 'The upload took so long that its files were given up.');
      await loosenBlobs(
        tx,
        before.flatMap((file) => file.blobKey ?? []),
      );
      const refs = files.map((file) => refOfUpload({ ...file, updatedAt, metadata }));
      const jobId = await joinJob(tx, { id: newId('job'), connector, refs });
      const kept: File[] = [];
      for (const file of files) {
        const documentId = documentIds.get(file.path);
        kept.push(await replaceFile(tx, file, connector.id, { documentId, metadata: toJson(metadata), updatedAt }));
      }
      return { files: kept, jobId };
    },
    { timeout: COMMIT_TIMEOUT_MS, maxWait: 10_000 },
  );
}
