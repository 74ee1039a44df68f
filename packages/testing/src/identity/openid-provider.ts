import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type ClientMetadata } from 'oidc-provider';
import { createAdapter, type Records } from '#identity/memory-adapter';

/** Someone with an account at the provider. */
export interface ProviderPerson {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly hd?: string;
}

/** The URLs of a client. */
export interface ProviderClient {
  readonly redirectUri: string;
  readonly postLogoutRedirectUri?: string;
  readonly backChannelLogoutUri?: string;
}

type TokenResponse = Record<string, unknown>;

/** A certified OpenID provider (`oidc-provider`) on a free port of this machine. */
export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The key that signs tokens, and its id. */
  readonly signingKey: KeyObject;
  readonly keyId: string;
  /** The people by their subject. Can be changed at any time. */
  readonly people: Map<string, ProviderPerson>;
  /** Registers the client. */
  register(client: ProviderClient): void;
  /** Changes each token response before it is sent; undefined for no change. */
  rewriteTokens(change?: (response: TokenResponse) => TokenResponse): void;
  /** A logout token for all sessions of a subject. */
  logoutToken(subject: string): string;
  stop(): Promise<void>;
}

export interface OpenIdProviderOptions {
  /** True if ID tokens contain all claims. Otherwise a client reads them at the userinfo endpoint. */
  readonly hasFullTokens?: boolean;
}

const CLIENT_ID = 'lectern';
const CLIENT_SECRET = 'the-secret-of-the-client';
const SCOPES = 'openid profile email groups';
const CLAIMS = {
  email: ['email', 'email_verified'],
  profile: ['name', 'hd'],
  groups: ['groups'],
};

/** In seconds. */
const LIFETIMES = {
  AccessToken: 600,
  AuthorizationCode: 60,
  Grant: 3_600,
  IdToken: 600,
  Interaction: 600,
  Session: 3_600,
};

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Provider</title></head><body><main>${body}</main></body></html>`;

const withoutDispatcher = ({ method, headers, body, signal }: RequestInit = {}): RequestInit => ({
  ...(method === undefined ? {} : { method }),
  ...(headers === undefined ? {} : { headers }),
  body: body ?? null,
  signal: signal ?? null,
});

/** Passes the JSON body of a response through `change` before it is sent. */
function rewriteJson(response: ServerResponse, change: (body: TokenResponse) => TokenResponse): void {
  const end = response.end.bind(response);
  response.end = ((text: string | Buffer) => {
    const changed = JSON.stringify(change(JSON.parse(String(text))));
    response.setHeader('Content-Length', Buffer.byteLength(changed));
    return end(changed);
  }) as typeof response.end;
}

/**
 * Starts a provider. Its sign-in page has a link for each person. It supports PKCE, which it requires,
 * sign-out by the client, and back-channel logout.
 */
export async function startOpenIdProvider({
  hasFullTokens = true,
}: OpenIdProviderOptions = {}): Promise<OpenIdProvider> {
  const keyId = randomUUID();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const people = new Map<string, ProviderPerson>();
  const records: Records = new Map();
  let change: ((response: TokenResponse) => TokenResponse) | undefined;

  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const provider = new Provider(issuer, {
    adapter: (kind: string) => createAdapter(records, kind),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomUUID()] },
    claims: CLAIMS,
    scopes: SCOPES.split(' '),
    conformIdTokenClaims: !hasFullTokens,
    pkce: { required: () => true },
    // The default passes a dispatcher of another version of undici than that of Node.
    fetch: (url, init) => fetch(url, withoutDispatcher(init)),
    ttl: LIFETIMES,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        postLogoutSuccessSource: (ctx) => {
          ctx.body = page('<h1>Signed out</h1>');
        },
        logoutSource: (ctx, form) => {
          ctx.body = page(
            `<h1>Sign out?</h1>${form}<button type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
          );
        },
      },
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) => {
      const person = people.get(sub);
      return person && { accountId: sub, claims: () => ({ sub, ...person, groups: [...(person.groups ?? [])] }) };
    },
    // People do not have to consent.
    loadExistingGrant: async ({ oidc }) => {
      const clientId = String(oidc.client?.clientId);
      const known = oidc.session?.grantIdFor(clientId);
      const existing = known === undefined ? undefined : await oidc.provider.Grant.find(known);
      if (existing !== undefined) return existing;
      const grant = new oidc.provider.Grant({ clientId, accountId: String(oidc.session?.accountId) });
      grant.addOIDCScope(SCOPES);
      await grant.save();
      return grant;
    },
  });

  /** Serves the sign-in page: a link for each person. */
  async function interact(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const accountId = url.searchParams.get('person');
    if (accountId !== null) {
      await provider.interactionFinished(request, response, { login: { accountId } });
      return;
    }
    const links = [...people].map(
      ([sub, { name = sub }]) => `<li><a href="?person=${encodeURIComponent(sub)}">${name}</a></li>`,
    );
    response.setHeader('Content-Type', 'text/html');
    response.end(page(`<h1>Sign in</h1><ul>${links.join('')}</ul>`));
  }

  const serve = provider.callback();
  handle = (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/token' && change !== undefined) rewriteJson(response, change);
    if (!url.pathname.startsWith('/interaction/')) return void serve(request, response);
    interact(request, response, url).catch((error: unknown) => {
      response.statusCode = 400;
      response.end(String(error));
    });
  };

  return {
    issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    signingKey: privateKey,
    keyId,
    people,
    register: ({ redirectUri, postLogoutRedirectUri, backChannelLogoutUri }) => {
      const client: ClientMetadata = {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [redirectUri],
        scope: SCOPES,
        ...(postLogoutRedirectUri === undefined ? {} : { post_logout_redirect_uris: [postLogoutRedirectUri] }),
        ...(backChannelLogoutUri === undefined
          ? {}
          : { backchannel_logout_uri: backChannelLogoutUri, backchannel_logout_session_required: true }),
      };
      records.set(`Client:${CLIENT_ID}`, client);
    },
    rewriteTokens: (next) => {
      change = next;
    },
    logoutToken: (sub) => {
      const iat = Math.floor(Date.now() / 1_000);
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const claims = { iss: issuer, aud: CLIENT_ID, sub, iat, exp: iat + 120, jti: randomUUID(), events };
      const parts = [{ alg: 'RS256', kid: keyId, typ: 'logout+jwt' }, claims];
      const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
      return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
