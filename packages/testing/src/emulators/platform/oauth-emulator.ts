import { createHash, randomUUID } from 'node:crypto';
import { jsonResponse, type PlatformRequest, type PlatformResponse } from '#emulators/platform/platform-server';

export interface OAuthEmulatorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  /** The client authentication and the request format of the token endpoint. */
  readonly clientAuthentication: 'basic' | 'body';
  readonly tokenRequest: 'form' | 'json';
  /** True if a PKCE challenge is required. */
  readonly pkce: boolean;
  /** True if each refresh rotates the refresh token. */
  readonly rotates: boolean;
  /** The required parameters of the authorization page, for example the scope. */
  readonly authorizeParameters: Readonly<Record<string, string>>;
  /** The value of `expires_in`; omitted by default. */
  readonly lifetimeSeconds?: number;
  /** The scope that an application without a user must request; without it, there is no such grant. */
  readonly applicationScope?: string;
  /** Additional fields of each token response. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface OAuthGrant {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The authorization page and the token endpoint of a platform. The user agrees immediately. */
export interface OAuthEmulator {
  /** Handles `GET` of the authorization page: redirects with `code` and `state`, or returns an error page. */
  authorize(request: PlatformRequest): PlatformResponse;
  /** Handles `POST` of the token endpoint. */
  token(request: PlatformRequest): PlatformResponse;
  /** True if the header contains a valid access token. */
  accepts(authorization: string | undefined): boolean;
  /** Issues tokens like after an authorization, by a named user or the usual one. */
  grant(subject?: string): OAuthGrant;
  /** Returns the user whom `grant` named. */
  subjectOf(authorization: string | undefined): string | undefined;
  /** Expires all access tokens, but not the refresh tokens. */
  expireAccess(): void;
  /** Revokes the authorization. */
  revoke(): void;
  /** Sets `expires_in`, in seconds. */
  setLifetime(seconds: number | undefined): void;
  /** Codes no longer return a refresh token, as if the user had agreed before. */
  withholdRefreshTokens(withhold: boolean): void;
  /** The number of successful refreshes. */
  readonly refreshes: number;
  /** True if a used refresh token was sent again. */
  readonly reusedRefreshToken: boolean;
  /** All issued access tokens, in order. */
  readonly issued: readonly string[];
}

interface Code {
  readonly redirectUri: string;
  readonly challenge: string | undefined;
}

const oauthError = (status: number, error: string, description: string) =>
  jsonResponse(status, { error, error_description: description });

export function createOAuthEmulator(options: OAuthEmulatorOptions): OAuthEmulator {
  const codes = new Map<string, Code>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const usedRefresh = new Set<string>();
  const issued: string[] = [];
  let refreshes = 0;
  let reused = false;
  let lifetimeSeconds = options.lifetimeSeconds;
  let withholds = false;

  /** The named users by access and refresh token. */
  const subjects = new Map<string, string>();
  const newAccess = (subject?: string) => {
    const token = `access-${randomUUID()}`;
    access.add(token);
    if (subject !== undefined) subjects.set(token, subject);
    issued.push(token);
    return token;
  };
  const newRefresh = (subject?: string) => {
    const token = `refresh-${randomUUID()}`;
    refresh.add(token);
    if (subject !== undefined) subjects.set(token, subject);
    return token;
  };
  const tokens = (refreshToken: string | undefined, subject?: string) =>
    jsonResponse(200, {
      access_token: newAccess(subject),
      token_type: 'bearer',
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      ...(lifetimeSeconds === undefined ? {} : { expires_in: lifetimeSeconds }),
      ...options.extra,
    });

  const redeem = (params: Readonly<Record<string, string>>) => {
    const code = codes.get(params.code ?? '');
    codes.delete(params.code ?? '');
    if (code === undefined) return oauthError(400, 'invalid_grant', 'The code is unknown or was used.');
    if (code.redirectUri !== params.redirect_uri) {
      return oauthError(400, 'invalid_grant', 'redirect_uri is not the one of the authorization.');
    }
    const verifier = params.code_verifier ?? '';
    const hashed = createHash('sha256').update(verifier).digest('base64url');
    if (code.challenge !== undefined && (verifier.length < 43 || hashed !== code.challenge)) {
      return oauthError(400, 'invalid_grant', 'Invalid code verifier.');
    }
    return tokens(withholds ? undefined : newRefresh());
  };

  const renew = (params: Readonly<Record<string, string>>) => {
    const token = params.refresh_token ?? '';
    if (usedRefresh.has(token)) reused = true;
    if (!refresh.has(token)) return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    refreshes += 1;
    const subject = subjects.get(token);
    if (!options.rotates) return tokens(undefined, subject);
    refresh.delete(token);
    usedRefresh.add(token);
    return tokens(newRefresh(subject), subject);
  };

  return {
    authorize: ({ query }) => {
      const redirectUri = query.get('redirect_uri') ?? '';
      const page = (message: string): PlatformResponse => ({ status: 400, body: `<html>${message}</html>` });
      if (query.get('client_id') !== options.clientId) return page('invalid_client');
      if (!options.redirectUris.includes(redirectUri)) return page('redirect_uri_mismatch');
      if (query.get('response_type') !== 'code') return page('unsupported_response_type');
      if ((query.get('state') ?? '') === '') return page('state is missing');
      for (const [name, value] of Object.entries(options.authorizeParameters)) {
        if (query.get(name) !== value) return page(`${name} must be ${value}`);
      }
      const challenge = query.get('code_challenge') ?? undefined;
      if (options.pkce && challenge === undefined) return page('code_challenge is missing');
      if (challenge !== undefined && query.get('code_challenge_method') !== 'S256') return page('S256 is demanded');
      const code = randomUUID();
      codes.set(code, { redirectUri, challenge });
      const to = new URL(redirectUri);
      to.searchParams.set('code', code);
      to.searchParams.set('state', query.get('state') ?? '');
      return { status: 302, headers: { location: to.href }, body: '' };
    },
    token: (request) => {
      const params = readTokenRequest(request, options);
      if (params === undefined) return oauthError(400, 'invalid_request', 'The format of the request is invalid.');
      if (!isClient(request, params, options)) return oauthError(401, 'invalid_client', 'Unauthorized');
      if (params.grant_type === 'authorization_code') return redeem(params);
      if (params.grant_type === 'refresh_token') return renew(params);
      if (params.grant_type === 'client_credentials' && options.applicationScope !== undefined) {
        if (params.scope === options.applicationScope) return tokens(undefined);
        return oauthError(400, 'invalid_scope', 'AADSTS70011: The provided value for scope is not valid.');
      }
      return oauthError(400, 'unsupported_grant_type', 'Unknown grant_type.');
    },
    accepts: (authorization) => access.has(authorization?.replace(/^Bearer /, '') ?? ''),
    grant: (subject) => ({ accessToken: newAccess(subject), refreshToken: newRefresh(subject) }),
    subjectOf: (authorization) => subjects.get(authorization?.replace(/^Bearer /, '') ?? ''),
    expireAccess: () => access.clear(),
    revoke: () => {
      access.clear();
      refresh.clear();
    },
    setLifetime: (seconds) => {
      lifetimeSeconds = seconds;
    },
    withholdRefreshTokens: (withhold) => {
      withholds = withhold;
    },
    get refreshes() {
      return refreshes;
    },
    get reusedRefreshToken() {
      return reused;
    },
    issued,
  };
}

function readTokenRequest(request: PlatformRequest, { tokenRequest }: OAuthEmulatorOptions) {
  const type = request.headers['content-type'] ?? '';
  if (request.method !== 'POST') return undefined;
  if (tokenRequest === 'form') {
    if (!type.startsWith('application/x-www-form-urlencoded')) return undefined;
    return Object.fromEntries(new URLSearchParams(request.body));
  }
  if (!type.startsWith('application/json')) return undefined;
  const body: unknown = JSON.parse(request.body);
  if (typeof body !== 'object' || body === null) return undefined;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
}

function isClient(
  request: PlatformRequest,
  params: Readonly<Record<string, string>>,
  { clientAuthentication, clientId, clientSecret }: OAuthEmulatorOptions,
): boolean {
  if (clientAuthentication === 'body') return params.client_id === clientId && params.client_secret === clientSecret;
  const expected = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return request.headers.authorization === `Basic ${expected}`;
}
