import { SourceError } from '../source-error.ts';

// Under one name, because metadata in S3 are ASCII texts with names in lower case.
const NAME = 'lectern';
// Amazon's limit is 2 KB for all metadata of an object.
const MAX_BYTES = 1_900;

/** What is kept beside an object of the metadata that a file was sent with. Throws `invalid` where it is too much. */
export function toObjectMetadata(metadata: Readonly<Record<string, unknown>>): Record<string, string> {
  if (Object.keys(metadata).length === 0) return {};
  const text = Buffer.from(JSON.stringify(metadata)).toString('base64url');
  if (text.length <= MAX_BYTES) return { [NAME]: text };
  throw new SourceError('invalid', 'The metadata of the file is larger than S3 keeps (about 1.4 KB as JSON).');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The metadata of an object: what others wrote as it stands, what `toObjectMetadata` wrote as it was. */
export function fromObjectMetadata(metadata: Readonly<Record<string, string>> = {}): Record<string, unknown> {
  const { [NAME]: own, ...others } = metadata;
  const read = own === undefined ? undefined : parse(own);
  return { ...others, ...(typeof read === 'object' && read !== null ? read : {}) };
}
