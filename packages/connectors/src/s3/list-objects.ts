import { createHash } from 'node:crypto';
import type { ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import { failedEntry } from '#http/entries';
import type { KeyPrefix } from '#s3/key-prefix';
import type { BucketAddress } from '#s3/s3-client';
import { refOfObject } from '#s3/to-ref';
import type { SourceEvent } from '#source';
import { SourceError } from '#source-error';

type Page = Pick<ListObjectsV2CommandOutput, 'Contents' | 'EncodingType' | 'IsTruncated' | 'NextContinuationToken'>;

// Listings use EncodingType=url, because XML cannot represent every key; the client does not decode
// them.
function decodeKey(key: string, encoding: string | undefined): string {
  if (encoding !== 'url') return key;
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

/**
 * Returns true for an expired token: the listing starts again, which takes time but loses nothing.
 */
const isUnknownToken = (error: unknown): boolean => error instanceof SourceError && error.kind === 'invalid';

/**
 * Lists every object with the prefix. Checkpoints are the server's tokens, because not every server
 * returns keys in order.
 */
export async function* listObjects(
  read: (token: string | undefined) => Promise<Page>,
  address: BucketAddress,
  prefix: KeyPrefix,
  from: string | undefined,
): AsyncGenerator<SourceEvent, void, void> {
  let token = from;
  for (;;) {
    const page = await read(token).catch((error: unknown) => {
      if (token === undefined || token !== from || !isUnknownToken(error)) throw error;
      return read(undefined);
    });
    for (const object of page.Contents ?? []) {
      // The parser can return another type for a key that looks like a value of that type.
      if (typeof object.Key !== 'string' || object.Key === '') {
        const digest = createHash('sha256').update(JSON.stringify(object)).digest('hex').slice(0, 16);
        const entry = { id: undefined, name: undefined, digest, problem: '"Key": is missing' };
        yield failedEntry(entry, { id: undefined, what: 'the objects' });
        continue;
      }
      const key = decodeKey(object.Key, page.EncodingType);
      if (!prefix.has(key)) continue;
      const facts = { key, etag: object.ETag, sizeBytes: object.Size, lastModified: object.LastModified };
      yield { type: 'item', ref: refOfObject(address, facts) };
    }
    if (page.IsTruncated !== true) break;
    const next = page.NextContinuationToken;
    if (next === undefined || next === '' || next === token) {
      throw new SourceError(
        'transient',
        'S3 returned a truncated listing without a continuation token. Try again later.',
      );
    }
    token = next;
    yield { type: 'checkpoint', at: token };
  }
  yield { type: 'complete', authoritative: true };
}
