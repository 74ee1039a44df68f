import { SourceError } from '#source-error';

// A single entry, because S3 metadata is ASCII with lower-case names.
const NAME = 'lectern';
// Amazon's limit is 2 KB for all metadata of an object.
const MAX_BYTES = 1_900;

/** Encodes the metadata of a file for S3. Throws `invalid` if it is too large. */
export function toObjectMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  if (Object.keys(metadata).length === 0) return {};
  const text = Buffer.from(JSON.stringify(metadata)).toString('base64url');
  if (text.length <= MAX_BYTES) return { [NAME]: text };
  throw new SourceError('invalid', 'The metadata of the file exceeds the S3 limit (about 1.4 KB as JSON).');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Returns the metadata of an object, including what `toObjectMetadata` encoded. */
export function fromObjectMetadata(metadata: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const { [NAME]: encoded, ...others } = metadata;
  const decoded = encoded === undefined ? undefined : parse(encoded);
  return { ...others, ...(typeof decoded === 'object' && decoded !== null ? decoded : {}) };
}
