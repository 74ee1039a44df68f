import { orAborted } from '@lectern/resilience';
import { z } from 'zod';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import type { TokenSource } from '#oauth/oauth-provider';
import { SourceError } from '#source-error';

/**
 * A client that gets access tokens by itself: with a refresh token for the account of a user, or
 * without one as an application.
 */
export interface OAuthClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly refreshToken: string | undefined;
  readonly scope: string | undefined;
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.1 */
const Token = z.object({
  // https://www.rfc-editor.org/rfc/rfc6750#section-2.1
  access_token: z
    .string()
    .max(32_768)
    .regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().positive().catch(3_600),
  refresh_token: z.string().min(1).max(16_384).optional().catch(undefined),
});
const Failure = z.object({ error: z.string(), error_description: z.string().default('').catch('') });

/** A token with less time left is renewed first, or after half of a shorter life. */
const MARGIN_MS = 60_000;
/** The server may reject each of a hundred mailboxes: that is no reason for as many new tokens. */
const REJECTED_PAUSE_MS = 60_000;
/** For a token request that several calls share. */
const SHARED_TIMEOUT_MS = 60_000;

const TEMPORARY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

const ADVICE: Readonly<Record<string, string>> = {
  invalid_client: 'Check clientId and clientSecret; the secret can have expired.',
  unauthorized_client: 'Check clientId and tokenUrl, and that the application is allowed to use this grant.',
  invalid_grant: 'The refresh token was revoked or has expired. Create a new one and update the credentials.',
  invalid_scope: 'Check scope.',
};

/** Texts of the server are left out: they can repeat what was sent. */
function readTokenError({ status, body }: { status: number; body: unknown }): SourceError | undefined {
  const failure = Failure.safeParse(body).data;
  if (status === 429 || status >= 500 || (status < 400 && failure === undefined)) return undefined;
  if (failure === undefined) {
    return new SourceError('auth', `The token endpoint returned status ${status} without a reason. Check tokenUrl.`);
  }
  if (TEMPORARY.has(failure.error)) {
    return new SourceError('transient', 'The token endpoint is temporarily unavailable. Try again later.');
  }
  const name = failure.error.replace(/\W/g, '_').slice(0, 40);
  // https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes
  const number = /AADSTS\d{1,9}/.exec(failure.error_description)?.[0];
  const reason = number === undefined ? name : `${name}, ${number}`;
  const advice = ADVICE[failure.error] ?? 'Check tokenUrl, clientId, clientSecret, refreshToken and scope.';
  return new SourceError('auth', `The token endpoint rejected the request (${reason}). ${advice}`);
}

/** Without a token, nothing can be read: the error must not look like that of an item. */
function toTokenError(error: unknown): unknown {
  if (!(error instanceof SourceError) || !['gone', 'forbidden', 'too_large'].includes(error.kind)) return error;
  return new SourceError('auth', `No access token: ${error.message}`, { cause: error });
}

interface Issued {
  readonly value: string;
  readonly renewAt: number;
}

/** Creates the token source of a client. All calls of a connector share the token. */
export function createClientTokens(
  client: OAuthClient,
  host: Pick<ConnectorHost, 'egress' | 'renewCredential'>,
): TokenSource {
  const http = createSourceHttp({
    platform: 'The token endpoint',
    // A redirect would send the secrets to another address.
    fetch: (input, init) => host.egress.fetch(input, { ...init, redirect: 'error' }),
    errorOf: readTokenError,
  });
  let { refreshToken } = client;
  let token: Issued | undefined;
  let pending: Promise<Issued> | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;

  const requestWith = async (current: string | undefined) => {
    const body = new URLSearchParams({
      client_id: client.clientId,
      ...(client.clientSecret === undefined ? {} : { client_secret: client.clientSecret }),
      ...(current === undefined
        ? { grant_type: 'client_credentials' }
        : { grant_type: 'refresh_token', refresh_token: current }),
      ...(client.scope === undefined ? {} : { scope: client.scope }),
    });
    // Concurrent calls share the request, so it does not use the signal of one call.
    const call = { signal: AbortSignal.timeout(SHARED_TIMEOUT_MS) };
    try {
      const { value } = await http.json(call, { url: client.tokenUrl, method: 'POST', body, what: 'the token' }, Token);
      const lifeMs = value.expires_in * 1_000;
      const issued = { value: value.access_token, renewAt: Date.now() + Math.max(lifeMs / 2, lifeMs - MARGIN_MS) };
      return { issued, replacement: value.refresh_token ?? current };
    } catch (error) {
      if (call.signal.aborted) throw new SourceError('transient', 'The token endpoint did not respond in time.');
      throw toTokenError(error);
    }
  };

  const request = async (): Promise<Issued> => {
    if (refreshToken === undefined) return (await requestWith(undefined)).issued;
    const { issued, replacement } = await host.renewCredential('refreshToken', refreshToken, requestWith);
    refreshToken = replacement;
    return issued;
  };

  const renewed = async (signal: AbortSignal): Promise<string> => {
    // The token is kept even if the calls that wait for it are aborted.
    pending ??= request()
      .then((issued) => {
        token = issued;
        return issued;
      })
      .finally(() => {
        pending = undefined;
      });
    return (await orAborted(pending, signal)).value;
  };

  return {
    access: async (signal) => {
      signal.throwIfAborted();
      return token !== undefined && Date.now() < token.renewAt ? token.value : renewed(signal);
    },
    renew: async (rejected, signal) => {
      signal.throwIfAborted();
      if (token !== undefined && token.value !== rejected) return token.value;
      if (Date.now() - renewedAt < REJECTED_PAUSE_MS) return rejected;
      const value = await renewed(signal);
      renewedAt = Date.now();
      return value;
    },
  };
}
