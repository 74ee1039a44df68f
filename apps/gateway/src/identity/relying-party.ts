import { isIP } from 'node:net';
import { AppError } from '@lectern/service-kit';
import { publicUrl } from '#http/public-url';
import type { OpenCall } from '#pipeline/operation';

/** What passkeys belong to: a domain, and the origin of the pages that use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/**
 * Returns the relying party of this installation: the domain of `PUBLIC_URL`, otherwise localhost. The
 * client can send any host. Undefined if browsers do not allow passkeys there.
 */
export function relyingParty(
  setting: string | undefined,
  { host, client }: Pick<OpenCall, 'host' | 'client'>,
): RelyingParty | undefined {
  const { url, isTrusted } = publicUrl(setting, host, client.isSecure);
  const { hostname, origin, protocol } = new URL(url);
  const isLocal = hostname === 'localhost';
  const isDomain = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  const isAllowed = isTrusted && isDomain && (protocol === 'https:' || isLocal);
  return isAllowed ? { id: hostname, origin } : undefined;
}

/** Returns the relying party. Throws `conflict` if browsers do not allow passkeys at this address. */
export function requireRelyingParty(setting: string | undefined, call: OpenCall): RelyingParty {
  const found = relyingParty(setting, call);
  if (found !== undefined) return found;
  throw new AppError(
    'conflict',
    'Passkeys do not work at this address, because browsers allow them only over https with a domain, or on localhost. Use a password, or ask the operator to set PUBLIC_URL to an https URL.',
  );
}
