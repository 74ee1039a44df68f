import { type OAuthApp, type OAuthProvider, SourceError } from '@lectern/connectors';
import { z } from 'zod';

// --- Tokens ---

/** The tokens of an authorization, as sealed in the row. */
export const tokensSchema = z.object({
  accessToken: z.string(),
  /** Absent if the provider's tokens do not expire. */
  refreshToken: z.string().optional(),
  /** ISO 8601; absent if unknown. */
  expiresAt: z.string().optional(),
});

export type Tokens = z.output<typeof tokensSchema>;

/** A token with less time left is renewed first, so that it lasts for the whole request. */
const MARGIN_MS = 60_000;

/** Returns true if the token is not about to expire. */
export function isFresh({ expiresAt }: Tokens, now = Date.now()): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) - now > MARGIN_MS;
}

// --- Requests ---

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
const DEFAULT_WAIT_MS = 30_000;
const CHECK_SETTINGS = 'Check the OAuth settings of the connector service.';

const responseSchema = z.object({
  access_token: z.string().min(1),
  // The other fields may be malformed. Without a usable expiry and refresh token, the access token
  // is used and never refreshed.
  refresh_token: z.string().min(1).nullish().catch(undefined),
  expires_in: z.coerce.number().positive().nullish().catch(undefined),
});
const errorSchema = z.object({ error: z.string().min(1).max(100) });

/** The provider rejected a used, revoked or expired code or refresh token. */
export class InvalidGrant extends Error {
  override readonly name = 'InvalidGrant';
}

/** The grant that is exchanged for tokens. */
export type Grant =
  | { readonly grant_type: 'refresh_token'; readonly refresh_token: string }
  | {
      readonly grant_type: 'authorization_code';
      readonly code: string;
      readonly redirect_uri: string;
      readonly code_verifier?: string;
    };

function requestOf(app: OAuthApp, provider: OAuthProvider, grant: Grant): RequestInit {
  const basic = provider.clientAuthentication === 'basic';
  const fields: Record<string, string> = {
    ...grant,
    ...(basic ? {} : { client_id: app.clientId, client_secret: app.clientSecret }),
  };
  const pair = `${encodeURIComponent(app.clientId)}:${encodeURIComponent(app.clientSecret)}`;
  const json = provider.tokenRequest === 'json';
  return {
    method: 'POST',
    headers: {
      ...provider.tokenHeaders,
      accept: 'application/json',
      'content-type': json ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(basic ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } : {}),
    },
    body: json ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
    redirect: 'error',
  };
}

async function readBounded(response: Response): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_RESPONSE_BYTES)
      throw new SourceError('transient', `The response of the token endpoint is too large. ${CHECK_SETTINGS}`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString());
  } catch {
    return undefined;
  }
}

function waitUntil(header: string | null): Date {
  const seconds = Number(header ?? Number.NaN);
  return new Date(Date.now() + (seconds >= 0 && seconds < 86_400 ? seconds * 1_000 : DEFAULT_WAIT_MS));
}

/**
 * Reads only the protocol's error codes from a response, so that error messages contain nothing
 * else.
 */
function errorOf(response: Response, body: unknown): Error {
  const { status } = response;
  const code = errorSchema.safeParse(body).data?.error;
  if (code === 'invalid_grant' && status >= 400 && status < 500) {
    return new InvalidGrant('The provider rejected the authorization.');
  }
  if (status === 429) {
    const retryAt = waitUntil(response.headers.get('retry-after'));
    return new SourceError(
      'rate',
      'The provider limits the rate of token requests. Syncs retry automatically; otherwise try again later.',
      { retryAt },
    );
  }
  if (status >= 500)
    return new SourceError('transient', `The token endpoint returned status ${status}. Try again later.`);
  if (code === 'invalid_client' || code === 'unauthorized_client') {
    return new SourceError(
      'invalid',
      'The provider rejected the OAuth application of this installation. Check its client id and secret.',
    );
  }
  return new SourceError('invalid', `The token endpoint rejected the request with status ${status}. ${CHECK_SETTINGS}`);
}

/**
 * Exchanges a grant for tokens; takes at most 15 s. Throws `InvalidGrant` if the provider rejects
 * the grant, `SourceError` for other failures. If a refresh returns no new refresh token, the old
 * one remains valid.
 */
export async function requestTokens(app: OAuthApp, provider: OAuthProvider, grant: Grant): Promise<Tokens> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let body: unknown;
  try {
    response = await fetch(app.tokenUrl, { ...requestOf(app, provider, grant), signal });
    body = await readBounded(response);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const what = signal.aborted ? 'did not respond in time' : 'is unreachable';
    throw new SourceError('transient', `The provider's token endpoint ${what}. Try again later.`, { cause: error });
  }
  if (!response.ok) throw errorOf(response, body);
  // Some providers return errors with status 200.
  if (errorSchema.safeParse(body).success) throw errorOf(new Response(null, { status: 400 }), body);
  const parsed = responseSchema.safeParse(body);
  if (!parsed.success)
    throw new SourceError('transient', `The response of the token endpoint contains no token. ${CHECK_SETTINGS}`);
  const { access_token, refresh_token, expires_in } = parsed.data;
  const current = grant.grant_type === 'refresh_token' ? grant.refresh_token : undefined;
  const refreshToken = refresh_token ?? current;
  return {
    accessToken: access_token,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(expires_in == null ? {} : { expiresAt: new Date(Date.now() + expires_in * 1_000).toISOString() }),
  };
}
