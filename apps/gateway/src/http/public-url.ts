import { invalidRequest } from '@lectern/service-kit';

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/** True for a well-formed `Host`. */
export const isHost = (host: string | undefined): host is string => host !== undefined && HOST.test(host);

/** The public URL of this installation. */
export interface PublicUrl {
  /** Without a slash at the end. */
  readonly url: string;
  /** True if the operator configured it or it is local: any client can send any `Host`. */
  readonly isTrusted: boolean;
}

/**
 * Returns `PUBLIC_URL`, or the Host of the request, with `https` if the browser uses TLS
 * (`isSecure`). Throws `invalid_request` for a malformed Host.
 */
export function publicUrl(setting: string | undefined, host: string | undefined, isSecure = false): PublicUrl {
  if (setting !== undefined) return { url: setting, isTrusted: true };
  if (!isHost(host)) {
    throw invalidRequest([{ path: 'Host', message: 'must be a valid host; or set PUBLIC_URL for the gateway' }]);
  }
  return { url: `${isSecure ? 'https' : 'http'}://${host}`, isTrusted: LOOPBACK.test(host) };
}

/** Returns the URL to which a provider redirects the user. */
export function callbackUrlOf({ url }: PublicUrl, provider: string): string {
  return `${url}/api/v1/oauth/callback/${encodeURIComponent(provider)}`;
}
