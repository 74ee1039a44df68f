import { APP_SCOPES, type AppScope } from '@lectern/api-spec';
import { invalidRequest, notFound } from '@lectern/service-kit';
import { findClient } from '#apps/client-store';
import { isRegistered, type RedirectTarget, redirectTarget, withParams } from '#apps/redirect-uri';
import type { Context } from '#context';
import type { AppClient } from '#gen/prisma/client';
import { type AppUrls, isResource } from '#identity/app-urls';

const MAX_STATE = 2_000;
/** A SHA-256 in base64url without padding. */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** What an app asks for when it sends a person to Lectern. */
export interface AuthorizationRequest {
  readonly client: AppClient;
  readonly redirectUri: string;
  readonly target: RedirectTarget;
  readonly state: string | undefined;
  readonly scopes: readonly AppScope[];
  readonly codeChallenge: string;
  /** An error to return to the app instead of an approval. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
}

/** Reads a parameter that may occur once. Throws `invalid_request`. */
function single(params: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = params.getAll(name);
  if (others.length > 0) throw invalidRequest([{ path: name, message: 'must occur at most once' }]);
  return value === '' ? undefined : value;
}

/**
 * Returns the known scopes of a list. Without a list, all. Undefined if none is known: others, for example
 * `offline_access`, are ignored (RFC 6749, 3.3).
 */
export function scopesIn(text: string | undefined): readonly AppScope[] | undefined {
  if (text === undefined) return APP_SCOPES;
  const names = text.split(' ');
  const scopes = APP_SCOPES.filter((scope) => names.includes(scope));
  return scopes.length === 0 ? undefined : scopes;
}

function errorOf(params: URLSearchParams, urls: AppUrls): AuthorizationRequest['error'] {
  if (single(params, 'response_type') !== 'code') {
    return { code: 'unsupported_response_type', message: 'response_type must be code.' };
  }
  const method = single(params, 'code_challenge_method');
  if (method !== 'S256' || !CHALLENGE.test(single(params, 'code_challenge') ?? '')) {
    return { code: 'invalid_request', message: 'PKCE with code_challenge_method S256 is required.' };
  }
  if (!params.getAll('resource').every((resource) => isResource(resource, urls))) {
    return { code: 'invalid_target', message: `resource must be ${urls.resource}.` };
  }
  if (scopesIn(single(params, 'scope')) === undefined) {
    return { code: 'invalid_scope', message: `scope must contain one of: ${APP_SCOPES.join(', ')}.` };
  }
  return undefined;
}

/**
 * Checks an authorization request. A wrong client or redirect URI throws `not_found` or
 * `invalid_request`: nothing may be sent there. Other errors are for the app, after the person has seen
 * where the browser would go.
 */
export async function readAuthorizationRequest(
  ctx: Context,
  urls: AppUrls,
  query: string,
): Promise<AuthorizationRequest> {
  const params = new URLSearchParams(query);
  const clientId = single(params, 'client_id');
  if (clientId === undefined) throw invalidRequest([{ path: 'client_id', message: 'is required' }]);
  const client = await findClient(ctx, clientId);
  if (client === undefined) throw notFound('app', clientId.slice(0, 100));
  const redirectUri =
    single(params, 'redirect_uri') ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : '');
  const target = redirectUri === undefined ? undefined : redirectTarget(redirectUri);
  if (redirectUri === undefined || target === undefined || !isRegistered(redirectUri, client.redirectUris)) {
    const message =
      'is not one that the app has registered; do not continue, and report this to the developer of the app';
    throw invalidRequest([{ path: 'redirect_uri', message }]);
  }
  const state = single(params, 'state');
  if (state !== undefined && state.length > MAX_STATE) {
    throw invalidRequest([{ path: 'state', message: `must have at most ${MAX_STATE} characters` }]);
  }
  return {
    client,
    redirectUri,
    target,
    state,
    scopes: scopesIn(single(params, 'scope')) ?? [],
    codeChallenge: single(params, 'code_challenge') ?? '',
    error: errorOf(params, urls),
  };
}

/** The URL with which a browser returns to the app. It names this installation (RFC 9207). */
export const responseUrl = (
  { redirectUri, state }: AuthorizationRequest,
  { issuer }: AppUrls,
  params: Readonly<Record<string, string>>,
): string => withParams(redirectUri, { ...params, state, iss: issuer });
