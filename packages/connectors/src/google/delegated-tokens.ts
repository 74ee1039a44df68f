import { createCache, orAborted } from '@lectern/resilience';
import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import { type ServiceAccount, signAssertion } from '#google/service-account';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { SourceError } from '#source-error';

/** `aud` is always Google's, whatever address the operator sets for requests. */
const TOKEN_AUDIENCE = 'https://oauth2.googleapis.com/token';

const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().catch(3_600) });
const Failure = z.object({ error: z.string(), error_description: z.string().default('') });

/** A token with less time left is renewed first. */
const MARGIN_MS = 60_000;
const MAX_TOKENS = 10_000;
/** How long a user whom the service account cannot act as is not tried again. */
const REFUSED_MS = 60_000;
/** For a token request that several calls share. */
const SHARED_TIMEOUT_MS = 120_000;
/** Descriptions of `invalid_grant` that do not concern the user. */
const KEY_FAULT = /jwt|signature|token must be|account not found/i;
const TEMPORARY: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'rate_limit_exceeded']);

interface Issued {
  readonly token: string;
  readonly expiresAt: number;
}

/** Access tokens of a service account that acts as users of its domain. */
export interface DelegatedTokens {
  /**
   * Authorization headers for requests as a user. Throws `auth` if the key or the delegation is
   * invalid, `forbidden` if only this user is refused.
   */
  authorizeAs(subject: string): (call: ConnectorCall, rejected: boolean) => Promise<Readonly<Record<string, string>>>;
}

const tokenErrorReader = (scopes: readonly string[]) => (response: { status: number; body: unknown }) => {
  const failure = response.status < 400 ? undefined : Failure.safeParse(response.body).data;
  if (failure === undefined || response.status >= 500 || response.status === 429 || TEMPORARY.has(failure.error)) {
    return undefined;
  }
  if (failure.error === 'unauthorized_client' || failure.error === 'access_denied') {
    return new SourceError(
      'forbidden',
      `The service account may not act as this user. Add its client ID with the scopes ${scopes.join(', ')} under domain-wide delegation in the Google Admin console.`,
    );
  }
  // Google uses the same code for an invalid key and for a user that does not exist.
  if (failure.error === 'invalid_grant' && !KEY_FAULT.test(failure.error_description)) {
    return new SourceError('forbidden', 'Google does not know this user, or the user is suspended.');
  }
  return new SourceError(
    'auth',
    `Google rejected the key of the service account (${failure.error.replace(/\W/g, '_').slice(0, 40)}). Create a new key, or check the clock of this server.`,
  );
};

export interface DelegationSettings {
  readonly account: ServiceAccount;
  /** The administrator, in lower case. */
  readonly adminEmail: string;
  /** The scopes of the administrator's token, which the delegation must include, and of users' tokens. */
  readonly adminScopes: readonly string[];
  readonly userScopes: readonly string[];
}

export function createDelegatedTokens(
  { account, adminEmail, adminScopes, userScopes }: DelegationSettings,
  host: Pick<ConnectorHost, 'addresses' | 'egress'>,
  now: () => number = Date.now,
): DelegatedTokens {
  const url = new URL(host.addresses.googleToken);
  const http = createSourceHttp({
    platform: 'Google',
    fetch: host.egress.trusting([url.origin]).fetch,
    errorOf: tokenErrorReader(adminScopes),
  });
  const issued = createCache<string, Issued>({ maxEntries: MAX_TOKENS });
  const refused = createCache<string, SourceError>({ maxEntries: MAX_TOKENS, ttlMs: REFUSED_MS });
  const pending = new Map<string, Promise<Issued>>();
  const used = new WeakMap<ConnectorCall, string>();

  const request = async (subject: string): Promise<Issued> => {
    const isAdmin = subject === adminEmail;
    const scopes = isAdmin ? adminScopes : userScopes;
    const assertion = await signAssertion(account, { subject, scopes, audience: TOKEN_AUDIENCE }, now());
    const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
    try {
      // Concurrent calls share the request, so it does not use the signal of one call.
      const call = { signal: AbortSignal.timeout(SHARED_TIMEOUT_MS) };
      const { value } = await http.json(call, { url, method: 'POST', body, what: 'the token' }, Token);
      const token = { token: value.access_token, expiresAt: now() + value.expires_in * 1_000 - MARGIN_MS };
      issued.set(subject, token);
      return token;
    } catch (error) {
      if (!(error instanceof SourceError) || error.kind !== 'forbidden') throw error;
      // Without the administrator, nothing can be read.
      if (isAdmin) throw new SourceError('auth', `${error.message} Check adminEmail.`, { cause: error });
      refused.set(subject, error);
      throw error;
    }
  };

  const current = async (call: ConnectorCall, subject: string, rejected: string | undefined): Promise<string> => {
    call.signal.throwIfAborted();
    const known = issued.get(subject);
    if (known !== undefined && known.token !== rejected && known.expiresAt > now()) return known.token;
    const refusal = refused.get(subject);
    if (refusal !== undefined) throw refusal;
    const running = pending.get(subject) ?? request(subject).finally(() => pending.delete(subject));
    pending.set(subject, running);
    return (await orAborted(running, call.signal)).token;
  };

  return {
    authorizeAs: (subject) => async (call, rejected) => {
      const token = await current(call, subject, rejected ? used.get(call) : undefined);
      used.set(call, token);
      return { authorization: `Bearer ${token}` };
    },
  };
}
