import { createHash, randomUUID } from 'node:crypto';
import { jsonAnswer, type PlatformAnswer, type PlatformRequest } from './platform-server.ts';

export interface OAuthEmulatorOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  /** How the application must name itself at the token address, and the form of the request. */
  readonly clientAuthentication: 'basic' | 'body';
  readonly tokenRequest: 'form' | 'json';
  /** True where a PKCE challenge is demanded. */
  readonly pkce: boolean;
  /** True where each refresh makes a new refresh token and burns the old one. */
  readonly rotates: boolean;
  /** Parameters that the authorisation page demands, such as the scope. */
  readonly authorizeParameters: Readonly<Record<string, string>>;
  /** As told in `expires_in`; none is told by default. */
  readonly lifetimeSeconds?: number;
  /** Further fields of each token answer. */
  readonly extra?: Readonly<Record<string, unknown>>;
}

export interface OAuthGrant {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** The authorisation page and the token address of a platform. The user agrees at once. */
export interface OAuthEmulator {
  /** `GET` of the authorisation page: a redirect with `code` and `state`, or an error page. */
  authorize(request: PlatformRequest): PlatformAnswer;
  /** `POST` of the token address. */
  token(request: PlatformRequest): PlatformAnswer;
  /** True where the header carries a valid access token. */
  accepts(authorization: string | undefined): boolean;
  /** Tokens as after an authorisation. */
  grant(): OAuthGrant;
  /** All access tokens become invalid; refresh tokens stay. */
  expireAccess(): void;
  /** The user takes the authorisation back. */
  revoke(): void;
  /** What `expires_in` tells from now on, in seconds. */
  setLifetime(seconds: number | undefined): void;
  /** Codes are answered without a refresh token from now on, as where the user had agreed before. */
  withholdRefreshTokens(withhold: boolean): void;
  /** Answered refreshes. */
  readonly refreshes: number;
  /** True once a burnt refresh token was presented. */
  readonly reusedRefreshToken: boolean;
  /** Every access token that was given out, in order. */
  readonly issued: readonly string[];
}

interface Code {
  readonly redirectUri: string;
  readonly challenge: string | undefined;
}

const oauthError = (status: number, error: string, description: string) =>
  jsonAnswer(status, { error, error_description: description });

export function createOAuthEmulator(options: OAuthEmulatorOptions): OAuthEmulator {
  const codes = new Map<string, Code>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const burnt = new Set<string>();
  const issued: string[] = [];
  let refreshes = 0;
  let reused = false;
  let lifetimeSeconds = options.lifetimeSeconds;
  let withholds = false;

  const newAccess = () => {
    const token = `access-${randomUUID()}`;
    access.add(token);
    issued.push(token);
    return token;
  };
  const newRefresh = () => {
    const token = `refresh-${randomUUID()}`;
    refresh.add(token);
    return token;
  };
  const tokens = (refreshToken: string | undefined) =>
    jsonAnswer(200, {
      access_token: newAccess(),
      token_type: 'bearer',
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      ...(lifetimeSeconds === undefined ? {} : { expires_in: lifetimeSeconds }),
      ...options.extra,
    });

  const redeem = (given: Readonly<Record<string, string>>) => {
    const code = codes.get(given.code ?? '');
    codes.delete(given.code ?? '');
    if (code === undefined) return oauthError(400, 'invalid_grant', 'The code is unknown or was used.');
    if (code.redirectUri !== given.redirect_uri) {
      return oauthError(400, 'invalid_grant', 'redirect_uri is not the one of the authorisation.');
    }
    const verifier = given.code_verifier ?? '';
    const hashed = createHash('sha256').update(verifier).digest('base64url');
    if (code.challenge !== undefined && (verifier.length < 43 || hashed !== code.challenge)) {
      return oauthError(400, 'invalid_grant', 'Invalid code verifier.');
    }
    return tokens(withholds ? undefined : newRefresh());
  };

  const renew = (given: Readonly<Record<string, string>>) => {
    const token = given.refresh_token ?? '';
    if (burnt.has(token)) reused = true;
    if (!refresh.has(token)) return oauthError(400, 'invalid_grant', 'Token has been expired or revoked.');
    refreshes += 1;
    if (!options.rotates) return tokens(undefined);
    refresh.delete(token);
    burnt.add(token);
    return tokens(newRefresh());
  };

  return {
    authorize: ({ query }) => {
      const redirectUri = query.get('redirect_uri') ?? '';
      const page = (message: string): PlatformAnswer => ({ status: 400, body: `<html>${message}</html>` });
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
      const given = readTokenRequest(request, options);
      if (given === undefined) return oauthError(400, 'invalid_request', 'The form of the request is wrong.');
      if (!isClient(request, given, options)) return oauthError(401, 'invalid_client', 'Unauthorized');
      if (given.grant_type === 'authorization_code') return redeem(given);
      if (given.grant_type === 'refresh_token') return renew(given);
      return oauthError(400, 'unsupported_grant_type', 'Unknown grant_type.');
    },
    accepts: (authorization) => access.has(authorization?.replace(/^Bearer /, '') ?? ''),
    grant: () => ({ accessToken: newAccess(), refreshToken: newRefresh() }),
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
  given: Readonly<Record<string, string>>,
  { clientAuthentication, clientId, clientSecret }: OAuthEmulatorOptions,
): boolean {
  if (clientAuthentication === 'body') return given.client_id === clientId && given.client_secret === clientSecret;
  const expected = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return request.headers.authorization === `Basic ${expected}`;
}
