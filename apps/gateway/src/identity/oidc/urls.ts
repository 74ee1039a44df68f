import { publicUrl } from '#http/public-url';
import { SignInError } from '#identity/sign-in-error';

/** The URLs of this installation that a provider knows. */
export interface ProviderUrls {
  readonly redirectUri: string;
  readonly signInUrl: string;
  readonly backChannelLogoutUri: string;
  readonly postLogoutRedirectUri: string;
}

interface Request {
  readonly host: string | undefined;
  readonly client: { readonly isSecure: boolean };
}

/**
 * Returns the URLs of a provider. Each provider has its own redirect URI, so that the answer of one
 * never counts as that of another.
 */
export function providerUrls(setting: string | undefined, { host, client }: Request, id: string): ProviderUrls {
  const { url } = publicUrl(setting, host, client.isSecure);
  return {
    redirectUri: `${url}/sign-in/${id}/callback`,
    signInUrl: `${url}/sign-in/${id}`,
    backChannelLogoutUri: `${url}/sign-in/${id}/back-channel-logout`,
    postLogoutRedirectUri: `${url}/console`,
  };
}

/** Throws `unavailable` if the installation does not know its own URL: anybody can send any `Host`. */
export function requireTrustedUrl(setting: string | undefined, { host, client }: Request): string {
  const { url, isTrusted } = publicUrl(setting, host, client.isSecure);
  if (isTrusted) return url;
  throw new SignInError('unavailable', {
    en: 'Sign-in with an identity provider requires PUBLIC_URL. Ask the operator of this installation to set it.',
    de: 'Die Anmeldung mit einem Identitätsanbieter setzt PUBLIC_URL voraus. Bitten Sie den Betreiber dieser Installation, es einzustellen.',
  });
}
