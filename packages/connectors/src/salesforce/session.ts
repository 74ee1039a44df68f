import { z } from 'zod';
import type { ConnectorCall } from '#connector';
import type { ConnectorHost } from '#host';
import { createSourceHttp } from '#http/create-source-http';
import { instanceOrigin } from '#salesforce/instance-url';
import { readLoginError } from '#salesforce/read-error';
import { SourceError } from '#source-error';

/** Credentials for the client credentials flow, or a session that cannot be renewed. */
export type SalesforceCredentials =
  | { readonly clientId: string; readonly clientSecret: string }
  | { readonly accessToken: string; readonly instanceUrl: string };

interface Session {
  readonly token: string;
  /** The origin of the session's instance. */
  readonly instance: string;
}

export interface SalesforceSession {
  /** Returns the instance's origin; signs in if necessary. */
  instance(call: ConnectorCall): Promise<string>;
  /** For `SourceHttp`; each request needs its own call object. */
  authorize(call: ConnectorCall, rejected: boolean): Promise<Readonly<Record<string, string>>>;
}

const Login = z.object({ access_token: z.string().min(1), instance_url: z.string().min(1) });

/** Signs in at the operator's login address. */
function createLogin(
  credentials: { clientId: string; clientSecret: string },
  host: Pick<ConnectorHost, 'addresses' | 'egress'>,
) {
  const url = new URL(`${host.addresses.salesforceLogin.replace(/\/+$/, '')}/services/oauth2/token`);
  const http = createSourceHttp({
    platform: 'Salesforce',
    fetch: host.egress.trusting([url.origin]).fetch,
    errorOf: readLoginError,
  });
  return async (): Promise<Session> => {
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    });
    // Concurrent calls share the login, so it must not use the signal of one call; the request has
    // its own deadline.
    const call = { signal: new AbortController().signal };
    const { value } = await http.json(call, { url, method: 'POST', body, what: 'the login' }, Login);
    const instance = instanceOrigin(value.instance_url);
    if (instance === undefined || (url.protocol === 'https:' && !instance.startsWith('https:'))) {
      throw new SourceError(
        'invalid',
        'The Salesforce login returned an instance without an https URL. Check SALESFORCE_LOGIN_URL.',
      );
    }
    return { token: value.access_token, instance };
  };
}

/** Shares one session between all requests of a connector and renews it if possible. */
export function createSession(
  credentials: SalesforceCredentials,
  host: Pick<ConnectorHost, 'addresses' | 'egress'>,
): SalesforceSession {
  const used = new WeakMap<ConnectorCall, string>();
  const login = 'clientId' in credentials ? createLogin(credentials, host) : undefined;
  let session: Session | undefined;
  let pending: Promise<Session> | undefined;
  if ('accessToken' in credentials) {
    const instance = instanceOrigin(credentials.instanceUrl);
    if (instance === undefined) throw new SourceError('invalid', 'credentials.instanceUrl is not a valid URL.');
    session = { token: credentials.accessToken, instance };
  }

  const current = async (call: ConnectorCall, rejected?: string): Promise<Session> => {
    call.signal.throwIfAborted();
    if (session !== undefined && session.token !== rejected) return session;
    if (login === undefined) {
      throw new SourceError(
        'auth',
        'The Salesforce access token is invalid or has expired. Update the credentials of the connector.',
      );
    }
    pending ??= login().finally(() => {
      pending = undefined;
    });
    session = await pending;
    call.signal.throwIfAborted();
    return session;
  };

  return {
    instance: async (call) => (await current(call)).instance,
    authorize: async (call, rejected) => {
      const { token } = await current(call, rejected ? used.get(call) : undefined);
      used.set(call, token);
      return { authorization: `Bearer ${token}` };
    },
  };
}
