import type { IncomingHttpHeaders } from 'node:http';
import { fields } from '@lectern/api-spec';
import { AppError, invalidRequest } from '@lectern/service-kit';
import type { KeyKind } from '#gen/prisma/client';

/**
 * Returns the end user on whose behalf a secret key makes the request. Throws `forbidden` for a
 * publishable key or a session (undefined), and `invalid_request` if the header is not an email address.
 */
export function serviceUser(headers: IncomingHttpHeaders, kind: KeyKind | undefined): string | undefined {
  const header = headers['x-service-user']?.toString().trim();
  if (header === undefined) return undefined;
  if (kind !== 'secret') throw new AppError('forbidden', 'X-Service-User requires a secret key.');
  const result = fields.serviceUser.safeParse(header);
  if (!result.success) throw invalidRequest([{ path: 'X-Service-User', message: 'must be an email address' }]);
  return result.data.toLowerCase();
}
