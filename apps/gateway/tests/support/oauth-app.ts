import { createHash, randomBytes } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { send, type TestResponse } from './gateway.ts';
import type { TestPerson } from './people.ts';

export const REDIRECT_URI = 'http://127.0.0.1:33418/callback';

/** Sends a request as a person in a browser. */
const asPerson = (url: string, { headers }: TestPerson, path: string, json: object): Promise<TestResponse> =>
  send(url, '', 'POST', path, { key: null, headers, json });

/** Returns what an app asks a person for. */
export const check = (url: string, person: TestPerson, request: string): Promise<TestResponse> =>
  asPerson(url, person, '/api/v1/account/apps/check', { request });

/** Answers the request of an app as a person. */
export const answer = (url: string, person: TestPerson, request: string, approve = true): Promise<TestResponse> =>
  asPerson(url, person, '/api/v1/account/apps/answer', { request, personId: person.id, approve });

/** Opens the address to which an app sends a browser, answers on the page, and returns where the browser goes. */
export async function visit(target: URL, person: TestPerson, approve = true): Promise<URL> {
  const opened = await fetch(target, { redirect: 'manual', headers: { Cookie: person.headers.Cookie ?? '' } });
  const page = new URL(opened.headers.get('location') ?? '', target);
  if (opened.status !== 302 || page.origin !== target.origin || page.pathname !== '/console/connect') {
    throw new Error(`The authorization endpoint returned ${opened.status} to ${page}.`);
  }
  const response = await answer(target.origin, person, page.search, approve);
  if (response.status !== 200) throw new Error(`The answer returned ${response.text}`);
  return new URL(response.json.data.redirectTo);
}

/** An app with the OAuth client of the MCP SDK. */
export class OauthApp implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata: OAuthClientMetadata;
  /** The address that the app has opened in the browser. */
  opened: URL | undefined;
  client: OAuthClientInformationMixed | undefined;
  current: OAuthTokens | undefined;
  readonly #url: URL;
  #verifier = '';

  constructor(url: string, metadata: Partial<OAuthClientMetadata> = {}) {
    this.#url = new URL('/mcp', url);
    this.clientMetadata = { client_name: 'Test assistant', redirect_uris: [REDIRECT_URI], ...metadata };
  }

  state = () => 'state-of-the-app';
  clientInformation = () => this.client;
  tokens = () => this.current;
  codeVerifier = () => this.#verifier;

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.current = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  transport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.#url, { authProvider: this });
  }

  /** Connects with the stored tokens. The caller closes the client. */
  async connect(): Promise<Client> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(this.transport());
    return client;
  }

  /** Signs a person in, and connects. */
  async connectAs(person: TestPerson): Promise<Client> {
    const first = this.transport();
    await new Client({ name: 'test', version: '1.0.0' }).connect(first).catch((error: unknown) => {
      if (this.opened === undefined) throw error;
    });
    const target = this.opened;
    if (target === undefined) throw new Error('The app did not open the browser.');
    const back = await visit(target, person);
    await first.finishAuth(back.searchParams.get('code') ?? '');
    return this.connect();
  }
}

/** Sends a form to an endpoint of the authorization server. */
export async function sendForm(url: string, path: string, form: Record<string, string>): Promise<TestResponse> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return send(url, '', 'POST', path, { key: null, headers, body: new URLSearchParams(form).toString() });
}

/** Registers a client. */
export async function register(url: string, metadata: object = {}): Promise<string> {
  const json = { client_name: 'Test assistant', redirect_uris: [REDIRECT_URI], ...metadata };
  const response = await send(url, '', 'POST', '/oauth/register', { key: null, json });
  if (response.status !== 201) throw new Error(response.text);
  return response.json.client_id;
}

/** The verifier and the challenge of PKCE. */
export function pkce(): { readonly verifier: string; readonly challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** The query of an authorization request. */
export const requestOf = (
  clientId: string,
  challenge: string,
  more: Record<string, string | undefined> = {},
): string => {
  const query = new URLSearchParams();
  const params = {
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-of-the-app',
    ...more,
  };
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, value);
  return query.toString();
};

/** Gets tokens for a person. */
export async function tokensFor(url: string, person: TestPerson, more: Record<string, string> = {}) {
  const clientId = await register(url);
  const { verifier, challenge } = pkce();
  const answered = await answer(url, person, requestOf(clientId, challenge, more));
  const code = new URL(answered.json.data.redirectTo).searchParams.get('code') ?? '';
  const form = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier };
  const response = await sendForm(url, '/oauth/token', form);
  if (response.status !== 200) throw new Error(response.text);
  return {
    clientId,
    code,
    verifier,
    ...(response.json as { access_token: string; refresh_token: string; scope: string }),
  };
}
