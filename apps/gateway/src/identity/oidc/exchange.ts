import { AppError } from '@lectern/service-kit';
import { AuthorizationResponseError, authorizationCodeGrant, ClientError, fetchUserInfo } from 'openid-client';
import type { IdentityProvider } from '#gen/prisma/client';
import type { Attempt } from '#identity/oidc/attempts';
import { needsMore, type Profile, profileOf } from '#identity/oidc/claims';
import { type OidcClient, reasonOf } from '#identity/oidc/clients';

/** Texts of providers are shown only if they have this form. */
const ERROR_CODE = /^[a-z_]{1,60}$/;

/** A person whom the provider has authenticated. */
export interface Authenticated {
  readonly profile: Profile;
  readonly idToken: string;
}

function failureOf(name: string, error: unknown): AppError {
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied') {
      return new AppError('forbidden', `You cancelled the sign-in, or ${name} does not let you use Lectern.`);
    }
    const code = ERROR_CODE.test(error.error) ? ` (${error.error})` : '';
    return new AppError('upstream_error', `${name} reported an error${code}. Ask an admin to check its settings.`);
  }
  // A wrong answer of a provider, or one of somebody else.
  const isAnswer = error instanceof ClientError || (error instanceof Error && 'cause' in error && 'code' in error);
  const message = isAnswer
    ? `The response of ${name} could not be verified. Start again, or ask an admin to check its settings.`
    : `${name} cannot be used now: ${reasonOf(error)}`;
  return new AppError(isAnswer ? 'forbidden' : 'upstream_error', message, { cause: error });
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
