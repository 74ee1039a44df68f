import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import type { Cloud } from '#microsoft-365/clouds';
import { readLoginError } from '#microsoft-365/read-error';

/** An app registration in Entra ID. */
export interface AppCredentials {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface GraphSession {
  /** For `SourceHttp`; each request needs its own call object. */
  authorize(call: ConnectorCall, rejected: boolean): Promise<Readonly<Record<string, string>>>;
}

const Login = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive().default(3_600) });

/** A token is renewed this long before it expires, or after half of a shorter life. */
const RENEW_BEFORE_MS = 5 * 60_000;

interface Token {
  readonly value: string;
  readonly renewAt: number;
}

/**
 * Signs in with the client credentials flow. All requests of a connector share the token.
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow
 */
export function createSession(
  credentials: AppCredentials,
  { login, scope }: { readonly login: string; readonly scope: Cloud['graph'] },
  host: Pick<ConnectorHost, 'egress'>,
): GraphSession {
  const url = new URL(`${login}/${encodeURIComponent(credentials.tenantId)}/oauth2/v2.0/token`);
  const http = createSourceHttp({
    platform: 'Microsoft sign-in',
    fetch: host.egress.fetch,
    errorOf: readLoginError,
  });
  const used = new WeakMap<ConnectorCall, string>();
  let token: Token | undefined;
  let pending: Promise<Token> | undefined;

  const signIn = async (): Promise<Token> => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      scope: `${scope}/.default`,
    });
    // Concurrent calls share the sign-in, so it must not use the signal of one call; the request
    // has its own deadline.
    const call = { signal: new AbortController().signal };
    const { value } = await http.json(call, { url, method: 'POST', body, what: 'the sign-in' }, Login);
    const lifeMs = value.expires_in * 1_000;
    return { value: value.access_token, renewAt: Date.now() + Math.max(lifeMs / 2, lifeMs - RENEW_BEFORE_MS) };
  };

  const current = async (call: ConnectorCall, rejected: string | undefined): Promise<string> => {
    call.signal.throwIfAborted();
    if (token !== undefined && token.value !== rejected && Date.now() < token.renewAt) return token.value;
    pending ??= signIn().finally(() => {
      pending = undefined;
    });
    token = await pending;
    call.signal.throwIfAborted();
    return token.value;
  };

  return {
    authorize: async (call, rejected) => {
      const value = await current(call, rejected ? used.get(call) : undefined);
      used.set(call, value);
      return { authorization: `Bearer ${value}` };
    },
  };
}
