import { basename } from 'node:path/posix';
import { type BucketAddress, objectUrl } from '#s3/s3-client';
import type { SourceRef } from '#source';

/** The properties of an object that listings, HEAD and GET all return. */
export interface ObjectFacts {
  readonly key: string;
  readonly etag: string | undefined;
  readonly sizeBytes: number | undefined;
  readonly lastModified: Date | undefined;
  readonly mimeType?: string | undefined;
}

/**
 * Returns ETag, size and time, because an ETag is not always a hash of the content. Time is in whole
 * seconds, because headers lack the fractions that some servers return in listings.
 */
export function versionOf({ etag, sizeBytes, lastModified }: Omit<ObjectFacts, 'key'>): string {
  const seconds = lastModified === undefined ? '' : Math.floor(lastModified.getTime() / 1000);
  return `${etag?.replaceAll('"', '') ?? ''}-${sizeBytes ?? ''}-${seconds}`;
}

/** Converts an object to an item: its key is its id. */
export function refOfObject(address: BucketAddress, facts: ObjectFacts): SourceRef {
  return {
    id: facts.key,
    path: facts.key,
    version: versionOf(facts),
    title: basename(facts.key),
    url: objectUrl(address, facts.key),
    sizeBytes: facts.sizeBytes,
    ...(facts.mimeType === undefined ? {} : { mimeType: facts.mimeType }),
    updatedAt: facts.lastModified?.toISOString(),
  };
}
