import { EgressError, type EgressGuard } from '@lectern/egress';
import { createCache } from '@lectern/resilience';
import type { Secrets } from '@lectern/service-kit';
import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as joseFetch } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { IdentityProvider } from '#gen/prisma/client';
import { SignInError } from '#identity/sign-in-error';

/** Of each request to a provider. */
const TIMEOUT_SECONDS = 10;
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** How long the metadata of a provider is used without reading it again. */
const TTL_MS = 10 * 60_000;
const MAX_CLIENTS = 1_000;

/** What identifies Lectern at a provider. */
export interface ClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A provider with its metadata and its keys. */
export interface OidcClient {
  readonly config: Configuration;
  /** Finds the key of a token that the provider sends by itself. */
  readonly keys: JWTVerifyGetKey;
}

/** Connections to identity providers, through the egress guard. */
export interface OidcClients {
  /** Reads the metadata of a provider. Throws `upstream_error` with a message that names the reason. */
  discover(settings: ClientSettings): Promise<OidcClient>;
  /** Returns the client of a stored provider. Its metadata is cached for ten minutes. */
  clientOf(provider: IdentityProvider): Promise<OidcClient>;
}

/** A wrong response of a provider. The message contains nothing that the provider wrote. */
class ResponseError extends Error {
  override readonly name = 'ResponseError';
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True for a URL that may be used without TLS: a provider on this machine. */
const isLocal = ({ protocol, hostname }: URL) => protocol === 'http:' && LOOPBACK.test(hostname);

/** Returns a `fetch` that goes through the egress guard and limits the size of responses. */
function limitedFetch({ fetch }: EgressGuard): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) throw new ResponseError('its response is larger than 1 MiB.');
      chunks.push(chunk);
    }
    const isEmpty = [204, 205, 304].includes(response.status);
    const body = isEmpty ? null : new Blob(chunks.map((chunk) => Uint8Array.from(chunk)));
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

/** Returns why a provider could not be used, without anything that the provider wrote. */
export function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError || cause instanceof ResponseError) return cause.message;
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError') return `it did not respond within ${TIMEOUT_SECONDS} s.`;
  if (error instanceof ClientError && error.code !== undefined) return `its response is not valid (${error.code}).`;
  return 'it could not be reached.';
}

/** The error for a provider that does not work. */
const unusable = (error: unknown): SignInError =>
  new SignInError(
    'upstream_error',
    {
      en: `The identity provider cannot be used: ${reasonOf(error)}`,
      de: 'Der Identitätsanbieter ist gerade nicht nutzbar. Versuchen Sie es später noch einmal, oder wenden Sie sich an einen Admin Ihres Teams.',
    },
    { cause: error },
  );

/** The endpoints that a browser opens must be pages, never a script. */
function requireEndpoints(config: Configuration): void {
  const { authorization_endpoint, token_endpoint, jwks_uri, end_session_endpoint } = config.serverMetadata();
  const found = { authorization_endpoint, token_endpoint, jwks_uri };
  for (const [name, value] of Object.entries(found)) {
    if (value === undefined) throw unusable(new ResponseError(`its metadata has no ${name}.`));
  }
  for (const value of [...Object.values(found), end_session_endpoint]) {
    const url = value === undefined ? undefined : URL.parse(value);
    if (url === undefined || url?.protocol === 'https:' || (url !== null && isLocal(url))) continue;
    throw unusable(new ResponseError('its metadata has an endpoint without https.'));
  }
}

/** Sends the client secret as the provider supports it. Basic authentication is the default of the specification. */
function authenticateWith(clientSecret: string): ClientAuth {
  const basic = ClientSecretBasic(clientSecret);
  const post = ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

export function createOidcClients(egress: EgressGuard, secrets: Secrets): OidcClients {
  const fetch = limitedFetch(egress);
  const cache = createCache<string, { readonly client: Promise<OidcClient>; readonly readAt: number }>({
    maxEntries: MAX_CLIENTS,
  });

  const discover: OidcClients['discover'] = async ({ issuer, clientId, clientSecret }) => {
    const server = new URL(issuer);
    if (server.protocol !== 'https:' && !isLocal(server)) {
      throw unusable(new ResponseError('its issuer must be an https URL.'));
    }
    const config = await discovery(server, clientId, undefined, authenticateWith(clientSecret), {
      [customFetch]: (url, options) => fetch(url, { ...options, body: options.body ?? null }),
      timeout: TIMEOUT_SECONDS,
      // Verifies the signature of ID tokens although TLS protects them too.
      execute: [enableNonRepudiationChecks, ...(isLocal(server) ? [allowInsecureRequests] : [])],
    }).catch((error: unknown) => {
      throw unusable(error);
    });
    requireEndpoints(config);
    const keys = createRemoteJWKSet(new URL(String(config.serverMetadata().jwks_uri)), {
      [joseFetch]: fetch,
      timeoutDuration: TIMEOUT_SECONDS * 1000,
    });
    return { config, keys };
  };

  return {
    discover,
    clientOf: (provider) => {
      const key = `${provider.id} ${provider.updatedAt.getTime()}`;
      const known = cache.get(key);
      if (known !== undefined && Date.now() - known.readAt < TTL_MS) return known.client;
      const { id, teamId, issuer, clientId } = provider;
      const clientSecret = String(secrets.open(provider, { row: id, team: teamId }));
      const client = discover({ issuer, clientId, clientSecret });
      cache.set(key, { client, readAt: Date.now() });
      client.catch(() => cache.delete(key));
      return client;
    },
  };
}
