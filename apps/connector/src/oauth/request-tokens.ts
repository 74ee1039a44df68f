import { type OAuthApp, type OAuthProvider, SourceError } from '@lectern/connectors';
import { z } from 'zod';
import type { Tokens } from './tokens.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const DEFAULT_WAIT_MS = 30_000;

const answerSchema = z.object({
  access_token: z.string().min(1),
  // The other fields may be malformed. Without a usable expiry and refresh token, the access token
  // is used and never refreshed.
  refresh_token: z.string().min(1).nullish().catch(undefined),
  expires_in: z.coerce.number().positive().nullish().catch(undefined),
});
const errorSchema = z.object({ error: z.string().min(1).max(100) });

/** The provider says that the authorisation does not hold: a used, revoked or expired code or refresh token. */
export class InvalidGrant extends Error {
  override readonly name = 'InvalidGrant';
}

/** What is exchanged for tokens. */
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
    if (size > MAX_ANSWER_BYTES) throw new SourceError('transient', 'The token address answered far too much.');
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

/** Only the words of the protocol are read from a refusal: what else it says is not repeated. */
function refusalOf(response: Response, body: unknown): Error {
  const { status } = response;
  const code = errorSchema.safeParse(body).data?.error;
  if (code === 'invalid_grant' && status >= 400 && status < 500) {
    return new InvalidGrant('The provider does not accept this authorisation (any more).');
  }
  if (status === 429) {
    const retryAt = waitUntil(response.headers.get('retry-after'));
    return new SourceError('rate', 'The provider asks to wait before more tokens are requested.', { retryAt });
  }
  if (status >= 500) return new SourceError('transient', `The token address answered with status ${status}.`);
  if (code === 'invalid_client' || code === 'unauthorized_client') {
    return new SourceError(
      'invalid',
      'The provider does not accept the OAuth application of this installation. Check its client id and secret.',
    );
  }
  return new SourceError('invalid', `The token address refused the request with status ${status}.`);
}

/**
 * Exchanges a grant for tokens; takes at most 15 s. Throws `InvalidGrant` where the provider confirms that the authorisation does not
 * hold, else `SourceError`. A refresh that answers no new refresh token leaves the old one valid.
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
    const what = signal.aborted ? 'did not answer in time' : 'could not be reached';
    throw new SourceError('transient', `The provider's token address ${what}.`, { cause: error });
  }
  if (!response.ok) throw refusalOf(response, body);
  // Some providers answer an error with status 200.
  if (errorSchema.safeParse(body).success) throw refusalOf(new Response(null, { status: 400 }), body);
  const answer = answerSchema.safeParse(body);
  if (!answer.success) throw new SourceError('transient', 'The token address answered something that holds no token.');
  const { access_token, refresh_token, expires_in } = answer.data;
  const kept = grant.grant_type === 'refresh_token' ? grant.refresh_token : undefined;
  const refreshToken = refresh_token ?? kept;
  return {
    accessToken: access_token,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(expires_in == null ? {} : { expiresAt: new Date(Date.now() + expires_in * 1_000).toISOString() }),
  };
}
