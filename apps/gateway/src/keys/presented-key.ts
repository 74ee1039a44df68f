import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@lectern/service-kit';

const BEARER = /^bearer[ \t]+(.*)$/i;

/**
 * Returns the key in `X-Service-Key` or `Authorization: Bearer`. Throws `unauthorized` if there is
 * none, and `invalid_key` if there are two different ones.
 */
export function presentedKey(headers: IncomingHttpHeaders): string {
  const header = headers['x-service-key']?.toString().trim() ?? '';
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1]?.trim() ?? '';
  if (header !== '' && bearer !== '' && header !== bearer) {
    throw new AppError('invalid_key', 'X-Service-Key and Authorization contain two different API keys. Send only one.');
  }
  const key = header === '' ? bearer : header;
  if (key === '') {
    throw new AppError(
      'unauthorized',
      'An API key is required. Send it as X-Service-Key: <key> or Authorization: Bearer <key>.',
    );
  }
  return key;
}
