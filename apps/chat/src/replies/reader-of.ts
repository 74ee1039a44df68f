import type { Caller } from '@lectern/service-kit';

/**
 * Identifies who requested a reply and with which access: key pair, end user, scope
 * and filters. The same
 * caller always gets the same text.
 */
export function readerOf({ keyId, userEmail, scope, publicOnly, filters }: Caller): string {
  const collections = scope.kind === 'all' ? 'all' : [...new Set(scope.ids)].sort();
  return JSON.stringify([
    keyId ?? null,
    userEmail ?? null,
    publicOnly === true,
    collections,
    ...(filters === undefined ? [] : [filters]),
  ]);
}
