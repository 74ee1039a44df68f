import type { IncomingHttpHeaders } from 'node:http';
import { AppError, invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import type { KeyKind } from '#gen/prisma/client';

const email = z.email().max(320);

/**
 * Returns the end user on whose behalf a secret key makes the request. Throws `forbidden` for a
 * publishable key, and `invalid_request` if the header is not an email address.
 */
export function serviceUser(headers: IncomingHttpHeaders, kind: KeyKind): string | undefined {
  const header = headers['x-service-user']?.toString().trim();
  if (header === undefined) return undefined;
  if (kind !== 'secret') throw new AppError('forbidden', 'X-Service-User requires a secret key.');
  const result = email.safeParse(header);
  if (!result.success) throw invalidRequest([{ path: 'X-Service-User', message: 'must be an email address' }]);
  return result.data.toLowerCase();
}
