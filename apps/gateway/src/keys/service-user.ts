import type { IncomingHttpHeaders } from 'node:http';
import { AppError, invalidRequest } from '@lectern/service-kit';
import { z } from 'zod';
import type { KeyKind } from '#gen/prisma/client';

const email = z.email().max(320);

/** The end user whose view a secret key asks for. Throws `forbidden` for a publishable key, `invalid_request` for what is no e-mail address. */
export function serviceUser(headers: IncomingHttpHeaders, kind: KeyKind): string | undefined {
  const header = headers['x-service-user']?.toString().trim();
  if (header === undefined) return undefined;
  if (kind !== 'secret') throw new AppError('forbidden', 'X-Service-User needs a secret key.');
  const result = email.safeParse(header);
  if (!result.success) throw invalidRequest([{ path: 'X-Service-User', message: 'must be an e-mail address' }]);
  return result.data.toLowerCase();
}
