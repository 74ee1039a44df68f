import { AuthorizationResponseError, authorizationCodeGrant, ClientError, fetchUserInfo } from 'openid-client';
import type { IdentityProvider } from '#gen/prisma/client';
import type { Attempt } from '#identity/oidc/attempts';
import { needsMore, type Profile, profileOf } from '#identity/oidc/claims';
import { type OidcClient, reasonOf } from '#identity/oidc/clients';
import { SignInError } from '#identity/sign-in-error';

/** Texts of providers are shown only if they have this form. */
const ERROR_CODE = /^[a-z_]{1,60}$/;

/** A person whom the provider has authenticated. */
export interface Authenticated {
  readonly profile: Profile;
  readonly idToken: string;
}

function failureOf(name: string, error: unknown): SignInError {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') {
      return new SignInError('forbidden', {
        en: `You cancelled the sign-in, or ${name} does not let you use Lectern.`,
        de: `Sie haben die Anmeldung abgebrochen, oder ${name} erlaubt Ihnen die Nutzung von Lectern nicht.`,
      });
    }
    const code = ERROR_CODE.test(error.error) ? ` (${error.error})` : '';
    return new SignInError('upstream_error', {
      en: `${name} reported an error${code}. Ask an admin to check its settings.`,
      de: `${name} hat einen Fehler gemeldet${code}. Bitten Sie einen Admin, die Einstellungen zu prüfen.`,
    });
  }
  // A wrong answer of a provider, or one of somebody else.
  if (error instanceof ClientError || (error instanceof Error && 'cause' in error && 'code' in error)) {
    const texts = {
      en: `The response of ${name} could not be verified. Start again, or ask an admin to check its settings.`,
      de: `Die Antwort von ${name} konnte nicht geprüft werden. Beginnen Sie noch einmal, oder bitten Sie einen Admin, die Einstellungen zu prüfen.`,
    };
    return new SignInError('forbidden', texts, { cause: error });
  }
  const texts = {
    en: `${name} cannot be used now: ${reasonOf(error)}`,
    de: `${name} ist gerade nicht nutzbar. Versuchen Sie es später noch einmal, oder wenden Sie sich an einen Admin Ihres Teams.`,
  };
  return new SignInError('upstream_error', texts, { cause: error });
}

/**
 * Exchanges the code of a response for an ID token, and returns who signed in. `openid-client` checks the
 * issuer of the response, the signature, issuer, audience, times and nonce of the token, and the code
 * verifier. Throws `forbidden` and `upstream_error`.
 */
export async function exchangeCode(
  { config }: OidcClient,
  { name, groupsClaim }: Pick<IdentityProvider, 'name' | 'groupsClaim'>,
  responseUrl: URL,
  { state, nonce, codeVerifier }: Attempt,
): Promise<Authenticated> {
  try {
    const tokens = await authorizationCodeGrant(config, responseUrl, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    const idToken = tokens.id_token;
    if (claims === undefined || idToken === undefined) throw new TypeError('The response has no ID token.');
    const hasMore = config.serverMetadata().userinfo_endpoint !== undefined;
    const more =
      hasMore && needsMore(claims, groupsClaim)
        ? await fetchUserInfo(config, tokens.access_token, claims.sub)
        : undefined;
    const profile = profileOf({ ...more, ...claims }, groupsClaim);
    if (profile === undefined) throw new TypeError('The response has no subject.');
    return { profile, idToken };
  } catch (error) {
    throw failureOf(name, error);
  }
}
