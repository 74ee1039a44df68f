import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { EgressGuard } from '@lectern/egress';
import { checkBlobKey } from '#blobs/blob-key';
import { BlobNotFoundError, type BlobStore } from '#blobs/blob-store';
import { writeBody } from '#blobs/write-body';
import { quickRetry } from '#http/quick-retry';
import { readObjectBody } from '#s3/object-body';
import { type BucketAddress, createS3Client, endpointOf, loadSdk, type S3Credentials } from '#s3/s3-client';
import { s3Error } from '#s3/s3-error';
import { sendStream } from '#s3/send-stream';
import { SourceError } from '#source-error';

export interface S3BlobStoreOptions {
  readonly address: BucketAddress;
  readonly credentials: S3Credentials;
  /** Prefix of every key, for example `lectern/`; none by default. */
  readonly prefix?: string;
  /** The bucket's address is the operator's setting, so it is trusted. */
  readonly egress: EgressGuard;
}

/**
 * Creates a blob store in a bucket, for replicas without a shared file system. A body is first
 * written to a temporary file, because S3 requires the length of an object. Throws `SourceError`
 * for S3 errors.
 */
export async function createS3BlobStore(options: S3BlobStoreOptions): Promise<BlobStore> {
  const { address, credentials, prefix = '' } = options;
  const sdk = await loadSdk();
  const client = createS3Client(
    sdk,
    address,
    credentials,
    options.egress.trusting([new URL(endpointOf(address)).origin]),
  );
  const named = (key: string) => {
    checkBlobKey(key);
    return { Bucket: address.bucket, Key: `${prefix}${key}` };
  };
  const withRetries = <T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> =>
    quickRetry(signal, async () => {
      try {
        return await send();
      } catch (error) {
        signal.throwIfAborted();
        throw s3Error(error);
      }
    });

  return {
    put: async (key, body, put) => {
      const target = named(key);
      const folder = await mkdtemp(join(tmpdir(), 'lectern-blob-'));
      const path = join(folder, randomUUID());
      try {
        const file = await open(path, 'wx', 0o600);
        const stored = await writeBody(file, body, put).finally(() => file.close());
        await quickRetry(put.signal, () => {
          const bytes = createReadStream(path);
          const object = { ...target, Body: bytes, ContentLength: stored.sizeBytes };
          return sendStream(bytes, put.signal, (sending) => client.send(new sdk.PutObjectCommand(object), sending));
        });
        return stored;
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    open: async (key, signal) => {
      const target = named(key);
      try {
        const object = await withRetries(signal, () =>
          client.send(new sdk.GetObjectCommand(target), { abortSignal: signal }),
        );
        if (!(object.Body instanceof Readable)) throw new SourceError('transient', 'S3 returned no object.');
        return readObjectBody(object.Body, object.ContentLength, signal);
      } catch (error) {
        if (!(error instanceof SourceError) || error.kind !== 'gone') throw error;
        throw new BlobNotFoundError('The stored file is missing.', { cause: error });
      }
    },
    remove: async (key) => {
      const target = named(key);
      const signal = AbortSignal.timeout(60_000);
      await withRetries(signal, () => client.send(new sdk.DeleteObjectCommand(target), { abortSignal: signal }));
    },
  };
}
