import type { Caller } from '@lectern/service-kit';

/** Who asked for a reply, with what rights: key pair, end user and scope. The same text for the same caller. */
export function readerOf({ keyId, userEmail, scope, publicOnly }: Caller): string {
  const reach = scope.kind === 'all' ? 'all' : [...new Set(scope.ids)].sort();
  return JSON.stringify([keyId ?? null, userEmail ?? null, publicOnly === true, reach]);
}
