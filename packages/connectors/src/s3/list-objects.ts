import { createHash } from 'node:crypto';
import type { ListObjectsV2CommandOutput } from '@aws-sdk/client-s3';
import { failedEntry } from '../http/entries.ts';
import type { SourceEvent } from '../source.ts';
import { SourceError } from '../source-error.ts';
import type { KeyPrefix } from './key-prefix.ts';
import type { BucketAddress } from './s3-client.ts';
import { refOfObject } from './to-ref.ts';

type Page = Pick<ListObjectsV2CommandOutput, 'Contents' | 'EncodingType' | 'IsTruncated' | 'NextContinuationToken'>;

// Asked for with EncodingType=url, because XML cannot hold every key; the client hands them on as they come.
function decodeKey(key: string, encoding: string | undefined): string {
  if (encoding !== 'url') return key;
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

/** A token that this server does not know (any more): begin anew, which costs time and loses nothing. */
const isUnknownToken = (error: unknown): boolean => error instanceof SourceError && error.kind === 'invalid';

/**
 * Every object of the prefix, a page at a time. Checkpoints are the server's tokens: places by key would need the keys to come in order,
 * which not every server promises.
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
      // The parser may return a key that looks like another type as a value of that type.
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
      throw new SourceError('transient', 'S3 says that its listing goes on, but not where.');
    }
    token = next;
    yield { type: 'checkpoint', at: token };
  }
  yield { type: 'complete', authoritative: true };
}
