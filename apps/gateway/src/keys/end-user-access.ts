import { leastRole } from '@lectern/api-spec';
import { AppError } from '@lectern/service-kit';

/**
 * Rejects operations that are not available to end users (X-Service-User), who have the rights of a
 * member. The services that own the data reject them too. Throws `forbidden`.
 */
export function requireEndUserAccess({ id }: { readonly id: string }): void {
  if (leastRole(id) === 'member') return;
  throw new AppError(
    'forbidden',
    'This operation is not available to end users because it affects more than their own data. Send the request without X-Service-User.',
  );
}
