import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@lectern/service-kit';

const BEARER = /^bearer[ \t]+(.*)$/i;

/**
 * Returns the key in `X-Service-Key` or `Authorization: Bearer`, or undefined if there is none. Throws
 * `invalid_key` if there are two different ones.
 */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['x-service-key']?.toString().trim() ?? '';
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1]?.trim() ?? '';
  if (header !== '' && bearer !== '' && header !== bearer) {
    throw new AppError('invalid_key', 'X-Service-Key and Authorization contain two different API keys. Send only one.');
  }
  return header || bearer || undefined;
}
