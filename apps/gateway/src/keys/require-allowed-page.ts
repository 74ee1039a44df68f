import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@lectern/service-kit';
import { isHostAllowed } from '#keys/allowed-hosts';
import { isRefererAllowed } from '#keys/allowed-referers';
import type { StoredKey } from '#keys/key-store';

/** Checks that a publishable key is used from where its pair allows; with both lists set both must pass. Throws `forbidden`. */
export function requireAllowedPage(key: StoredKey, { origin, referer }: IncomingHttpHeaders): void {
  if (key.kind !== 'publishable') return;
  if (key.allowedHosts.length > 0 && !isHostAllowed(key.allowedHosts, { origin, referer })) {
    throw new AppError('forbidden', 'Host not allowed: this publishable key may not be used from here.');
  }
  if (key.allowedReferers.length > 0 && !isRefererAllowed(key.allowedReferers, referer)) {
    throw new AppError('forbidden', 'Referer not allowed: this publishable key may not be used from this page.');
  }
}
