import type { IncomingHttpHeaders } from 'node:http';
import { MIMEType } from 'node:util';
import { AppError } from '@lectern/service-kit';

/** The media type that a request names. Throws `unsupported_media_type` where it is not the one that is wanted. */
export function requireMediaType(request: { readonly headers: IncomingHttpHeaders }, wanted: string): MIMEType {
  const header = request.headers['content-type'];
  try {
    const type = new MIMEType(header ?? '');
    if (type.essence === wanted) return type;
  } catch {
    // What cannot be read as a media type is not the one that is wanted.
  }
  const instead = header === undefined ? 'none was sent' : `not ${header.slice(0, 100)}`;
  throw new AppError('unsupported_media_type', `Content-Type must be ${wanted}; ${instead}.`);
}
