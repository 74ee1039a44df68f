import { basename } from 'node:path/posix';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { runChecks } from '#checks/run-checks';
import type { Connector, ConnectorCall, NewSourceFile } from '#connector';
import type { ConnectorHost } from '#host';
import { quickRetry } from '#http/quick-retry';
import { createKeyPrefix } from '#s3/key-prefix';
import { listObjects } from '#s3/list-objects';
import { inflate, ofLength, readObjectBody } from '#s3/object-body';
import { fromObjectMetadata, toObjectMetadata } from '#s3/object-metadata';
import { type BucketAddress, createS3Client, loadSdk, type S3Credentials, type S3Sdk } from '#s3/s3-client';
import { s3Error } from '#s3/s3-error';
import { sendStream } from '#s3/send-stream';
import { type ObjectFacts, refOfObject, versionOf } from '#s3/to-ref';
import type { SourceRef } from '#source';
import { SourceError } from '#source-error';

interface ObjectHead {
  readonly ETag?: string | undefined;
  readonly ContentLength?: number | undefined;
  readonly LastModified?: Date | undefined;
  readonly ContentType?: string | undefined;
}

const factsOf = (key: string, head: ObjectHead): ObjectFacts => ({
  key,
  etag: head.ETag,
  sizeBytes: head.ContentLength,
  lastModified: head.LastModified,
  mimeType: head.ContentType,
});

/**
 * Returns the body to upload. Without a known length, it is buffered, because S3 requires the
 * length.
 */
async function toBody(file: NewSourceFile, maxBytes: number) {
  if (file.sizeBytes !== undefined) {
    const body = Readable.from(ofLength(file.body, file.sizeBytes), { objectMode: false });
    return { Body: body, ContentLength: file.sizeBytes };
  }
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of file.body) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw new SourceError('too_large', `The file is larger than the limit of ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return { Body: Readable.from([Buffer.concat(pieces)], { objectMode: false }), ContentLength: bytes };
}

/**
 * Opens the objects of a bucket, or of a folder in it. Items are objects with the whole key as id.
 */
export function openS3(
  config: BucketAddress & { readonly prefix?: string | undefined },
  credentials: S3Credentials,
  host: Pick<ConnectorHost, 'egress' | 'maxItemBytes'>,
): Connector {
  const prefix = createKeyPrefix(config.prefix);
  const bucket = { Bucket: config.bucket };
  let opened: Promise<{ sdk: S3Sdk; client: S3Client }> | undefined;
  const open = () => {
    opened ??= loadSdk().then((sdk) => ({ sdk, client: createS3Client(sdk, config, credentials, host.egress) }));
    return opened;
  };

  type Send<T> = (sdk: S3Sdk, client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>;
  const once = async <T>(call: ConnectorCall, send: Send<T>): Promise<T> => {
    call.signal.throwIfAborted();
    const { sdk, client } = await open();
    try {
      return await send(sdk, client, { abortSignal: call.signal });
    } catch (error) {
      call.signal.throwIfAborted();
      throw s3Error(error);
    }
  };
  const withRetries = <T>(call: ConnectorCall, send: Send<T>): Promise<T> =>
    quickRetry(call.signal, () => once(call, send));

  const page = (call: ConnectorCall, token: string | undefined, limit?: number) =>
    withRetries(call, (sdk, client, options) => {
      const paging = {
        ...(token === undefined ? {} : { ContinuationToken: token }),
        ...(limit ? { MaxKeys: limit } : {}),
      };
      return client.send(
        new sdk.ListObjectsV2Command({ ...bucket, Prefix: prefix.text, EncodingType: 'url', ...paging }),
        options,
      );
    });

  const head = async (call: ConnectorCall, key: string): Promise<SourceRef | null> => {
    if (!prefix.has(key)) return null;
    try {
      const found = await withRetries(call, (sdk, client, options) =>
        client.send(new sdk.HeadObjectCommand({ ...bucket, Key: key }), options),
      );
      return refOfObject(config, factsOf(key, found));
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'gone') return null;
      throw error;
    }
  };

  return {
    test: (call) =>
      runChecks([
        [
          'bucket',
          async () => {
            // A HEAD response has no error details; if it fails, the listing reports the reason.
            const send: Send<unknown> = (sdk, client, options) =>
              client.send(new sdk.HeadBucketCommand(bucket), options);
            await withRetries(call, send).catch(() => page(call, undefined, 1));
            return `The bucket ${config.bucket} exists.`;
          },
        ],
        [
          'listing',
          async () => {
            const { KeyCount = 0 } = await page(call, undefined, 1);
            return KeyCount > 0 ? 'Objects can be listed.' : 'Objects can be listed; the bucket is empty.';
          },
        ],
        [
          'reading',
          async () => {
            for await (const event of listObjects((token) => page(call, token, 10), config, prefix, undefined)) {
              if (event.type === 'item') {
                await head(call, event.ref.id);
                return 'Objects can be read.';
              }
              if (event.type === 'checkpoint') break;
            }
            return 'There is no object to read yet.';
          },
        ],
      ]),

    list: (call, from) => listObjects((token) => page(call, token), config, prefix, from),
    resolve: head,

    fetch: async (call, ref) => {
      const object = await withRetries(call, (sdk, client, options) =>
        client.send(new sdk.GetObjectCommand({ ...bucket, Key: ref.id }), options),
      );
      const stream = object.Body;
      if (!(stream instanceof Readable)) throw new SourceError('transient', 'S3 returned no object.');
      const stored = readObjectBody(stream, object.ContentLength, call.signal);
      return {
        body: object.ContentEncoding === 'gzip' ? inflate(stored) : stored,
        version: versionOf(factsOf(ref.id, object)),
        fileName: basename(ref.id),
        metadata: {
          ...fromObjectMetadata(object.Metadata),
          ...(object.ContentType === undefined ? {} : { mimeType: object.ContentType }),
        },
      };
    },

    put: async (call, file) => {
      const key = prefix.keyOf(file.path);
      if (!prefix.has(key)) throw new SourceError('invalid', `${file.path} is not a valid file name.`);
      const metadata = toObjectMetadata(file.metadata);
      const body = await toBody(file, host.maxItemBytes);
      const type = file.mimeType === undefined ? {} : { ContentType: file.mimeType };
      const { sdk, client } = await open();
      // Not retried: the body can be read only once.
      await sendStream(body.Body, call.signal, (options) =>
        client.send(new sdk.PutObjectCommand({ ...bucket, Key: key, Metadata: metadata, ...type, ...body }), options),
      );
      const stored = await head(call, key);
      if (stored === null) throw new SourceError('transient', `${file.path} was removed right after it was stored.`);
      return stored;
    },

    remove: async (call, id) => {
      if (!prefix.has(id)) return;
      await withRetries(call, (sdk, client, options) =>
        client.send(new sdk.DeleteObjectCommand({ ...bucket, Key: id }), options),
      );
    },

    close: async () => {
      const { client } = (await opened) ?? {};
      client?.destroy();
    },
  };
}
