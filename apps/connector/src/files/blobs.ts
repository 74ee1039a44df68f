import { randomUUID } from 'node:crypto';
import { type BlobStore, createFolderBlobStore, createS3BlobStore } from '@lectern/connectors';
import type { EgressGuard } from '@lectern/egress';
import { ConfigError } from '@lectern/service-kit';
import type { Config } from '#config';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';

// The bytes of uploaded files. A row of `loose_blobs` names a blob that no file refers to yet, or
// no file refers to any longer, so that no crash leaves a blob behind.

/**
 * Opens the bucket if one is configured, else the folder. Throws `ConfigError` if the bucket's keys
 * are missing.
 */
export async function openBlobStore(config: Config, egress: EgressGuard): Promise<BlobStore> {
  const { BLOB_S3_BUCKET: bucket, BLOB_S3_ENDPOINT: endpoint, BLOB_S3_PREFIX: prefix } = config;
  if (bucket === undefined) return createFolderBlobStore(config.BLOB_DIR);
  const { BLOB_S3_ACCESS_KEY_ID: accessKeyId, BLOB_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new ConfigError(['BLOB_S3_BUCKET: needs BLOB_S3_ACCESS_KEY_ID and BLOB_S3_SECRET_ACCESS_KEY']);
  }
  const address = { bucket, region: config.BLOB_S3_REGION, ...(endpoint === undefined ? {} : { endpoint }) };
  return createS3BlobStore({ address, credentials: { accessKeyId, secretAccessKey }, prefix, egress });
}

/** Longer than any upload takes. */
const RESERVED_MS = 6 * 3_600_000;

/** Keys reserved per statement, and blobs removed in parallel. */
const BATCH = 50;

/** Blob keys that are removed unless an upload takes them over. */
export interface BlobReservation {
  next(): Promise<string>;
  /** Includes keys that `next` has not returned yet. */
  readonly reserved: readonly string[];
}

/** Reserves keys of blobs that are about to be written. */
export function reserveBlobs(ctx: Context): BlobReservation {
  const reserved: string[] = [];
  let unused: string[] = [];
  return {
    reserved,
    next: async () => {
      if (unused.length === 0) {
        const keys = Array.from({ length: BATCH }, () => randomUUID());
        const removeAfter = new Date(Date.now() + RESERVED_MS);
        await ctx.db.looseBlob.createMany({ data: keys.map((key) => ({ key, removeAfter })) });
        reserved.push(...keys);
        unused = keys;
      }
      return unused.pop() ?? randomUUID();
    },
  };
}

/**
 * Takes blobs over: files refer to them from now on. Returns false if one was removed in the
 * meantime.
 */
export async function takeOverBlobs(tx: Prisma.TransactionClient, keys: string[]): Promise<boolean> {
  const { count } = await tx.looseBlob.deleteMany({ where: { key: { in: keys } } });
  return count === keys.length;
}

/** Marks the blobs of files for removal. The files no longer refer to them. */
export async function discardBlobs(
  tx: Prisma.TransactionClient,
  files: readonly { readonly blobKey: string | null }[],
): Promise<void> {
  const keys = files.flatMap(({ blobKey }) => blobKey ?? []);
  const removeAfter = new Date();
  await tx.looseBlob.createMany({ data: keys.map((key) => ({ key, removeAfter })), skipDuplicates: true });
  await tx.looseBlob.updateMany({ where: { key: { in: keys } }, data: { removeAfter } });
}

/**
 * Releases reserved blobs for removal. Blobs that an upload has taken over are kept, even if the
 * upload's commit was never confirmed.
 */
export async function releaseBlobs(ctx: Context, keys: readonly string[]): Promise<void> {
  await ctx.db.looseBlob
    .updateMany({ where: { key: { in: [...keys] } }, data: { removeAfter: new Date() } })
    .catch((err: unknown) => ctx.log.warn({ err }, 'could not release reserved blobs; they expire later'));
}

/**
 * Removes the blobs that are due, until the signal is aborted. The rows are deleted last, so that a
 * crash in between only repeats the removal.
 */
export async function removeLooseBlobs(ctx: Context, signal?: AbortSignal): Promise<void> {
  const loose = await ctx.db.looseBlob.findMany({
    where: { removeAfter: { lte: new Date() } },
    orderBy: { removeAfter: 'asc' },
    take: 1_000,
  });
  for (let at = 0; at < loose.length && signal?.aborted !== true; at += BATCH) {
    const keys = loose.slice(at, at + BATCH).map(({ key }) => key);
    await Promise.all(keys.map((key) => ctx.blobs.remove(key)));
    await ctx.db.looseBlob.deleteMany({ where: { key: { in: keys }, removeAfter: { lte: new Date() } } });
  }
}
