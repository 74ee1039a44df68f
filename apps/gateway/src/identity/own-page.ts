import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@lectern/service-kit';
import { publicUrl } from '#http/public-url';

/** The header of every request with a session that changes something. A form cannot send it. */
const CSRF_HEADER = 'X-Lectern-CSRF';

const SAME_ORIGIN = ['same-origin', 'none'];

/** True if a page of this installation, or a program, sends the request. */
function isFromOwnPage(headers: IncomingHttpHeaders, setting: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return SAME_ORIGIN.includes(site.toString());
  const { origin } = headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const own = publicUrl(setting, headers.host).url;
  return new URL(origin).host === new URL(own).host;
}

/**
 * Rejects requests that a page of another site sends with the cookie of this one. The browser sets
 * `Sec-Fetch-Site` and `Origin`; pages cannot change them. Throws `forbidden`.
 */
export function requireOwnPage(
  headers: IncomingHttpHeaders,
  { isRead, publicUrl: setting }: { readonly isRead: boolean; readonly publicUrl: string | undefined },
): void {
  if (!isFromOwnPage(headers, setting)) {
    throw new AppError('forbidden', 'A page of another site may not use your session. Use an API key there.');
  }
  if (!isRead && headers[CSRF_HEADER.toLowerCase()] !== '1') {
    throw new AppError('forbidden', `This request requires the header ${CSRF_HEADER}: 1.`);
  }
}
