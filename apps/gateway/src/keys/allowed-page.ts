import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { AppError } from '@lectern/service-kit';
import { isHostAllowed } from '#keys/allowed-hosts';
import { isRefererAllowed } from '#keys/allowed-referers';
import type { StoredKey } from '#keys/key-store';

/** Checks the page that uses a publishable key against the lists of its pair. Throws `forbidden`. */
export function requireAllowedPage(key: StoredKey, { origin, referer }: IncomingHttpHeaders): void {
  if (key.kind !== 'publishable') return;
  if (key.allowedHosts.length > 0 && !isHostAllowed(key.allowedHosts, { origin, referer })) {
    throw new AppError('forbidden', 'Host not allowed: this publishable key may not be used from here.');
  }
  if (key.allowedReferers.length > 0 && !isRefererAllowed(key.allowedReferers, referer)) {
    throw new AppError('forbidden', 'Referer not allowed: this publishable key may not be used from this page.');
  }
}

/** Allows only pages of the allowed hosts to read responses to a publishable key. */
export function restrictOrigins(response: ServerResponse, key: StoredKey, origin: string | undefined): void {
  if (key.kind !== 'publishable' || key.allowedHosts.length === 0) return;
  response.setHeader('Vary', 'Origin');
  if (origin !== undefined && isHostAllowed(key.allowedHosts, { origin })) {
    response.setHeader('Access-Control-Allow-Origin', origin);
  } else response.removeHeader('Access-Control-Allow-Origin');
}
