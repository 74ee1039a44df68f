import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { AppError } from '@lectern/service-kit';

/** Returns the media type of a request. Throws `unsupported_media_type` if it is not `wanted`. */
export function requireMediaType(request: { readonly headers: IncomingHttpHeaders }, wanted: string): MIMEType {
  const header = request.headers['content-type'];
  try {
    const type = new MIMEType(header ?? '');
    if (type.essence === wanted) return type;
  } catch {
    // A malformed media type is not the wanted one.
  }
  const actual = header === undefined ? 'is missing' : `is ${header.slice(0, 100)}`;
  throw new AppError('unsupported_media_type', `Content-Type ${actual}, but must be ${wanted}.`);
}
