import { AppError, type Caller, requireNoFilters } from '@lectern/service-kit';

/** With whose access a schedule runs: that of the caller. Throws `forbidden` for callers that cannot be one. */
export function ownerOf(caller: Caller): { readonly ownerId: string; readonly ownerEmail: string | null } {
  requireNoFilters(caller, 'own schedules');
  const { keyId, userEmail = null } = caller;
  if (keyId === undefined) throw new AppError('forbidden', 'A schedule needs a key or a person as its owner.');
  return { ownerId: keyId, ownerEmail: userEmail };
}
