import { createBoundedFetch, egressErrorIn } from '@lectern/egress';
import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import type { Context } from '#context';
import type { ToolServer } from '#gen/prisma/client';
import { checkListing } from '#tool-servers/check-listing';
import { LIST_MS, SERVER_LIMITS } from '#tool-servers/limits';
import type { Listing } from '#tool-servers/listed-tool';
import { openMcpSession } from '#tool-servers/mcp-session';
import { readText } from '#tool-servers/read-text';
import { createRedactor, readStoredAuth, readStoredSecret, type ServerAuth } from '#tool-servers/server-auth';

type Deps = Pick<Context, 'egress' | 'secrets'>;

/** What a request to a server needs to be accepted. */
export interface Authentication {
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters to add to the URL. */
  readonly query: Readonly<Record<string, string>>;
  /** Replaces the secrets in a text. */
  readonly redact: (text: string) => string;
}

/** Authenticates at a server. OAuth requests a token for each connection. */
export async function authenticate(deps: Deps, server: ToolServer, signal: AbortSignal): Promise<Authentication> {
  const { id: row, teamId: team, sealed, wrappedKey, masterKeyVersion } = server;
  const auth = readStoredAuth(server.auth);
  if (auth.type === 'none' || sealed === null || wrappedKey === null || masterKeyVersion === null) {
    return { headers: {}, query: {}, redact: (text) => text };
  }
  const secret = readStoredSecret(deps.secrets.open({ sealed, wrappedKey, masterKeyVersion }, { row, team }));
  const inHeaders = (headers: Authentication['headers'], ...more: readonly string[]): Authentication => {
    return { headers, query: {}, redact: createRedactor(secret, ...more) };
  };
  switch (auth.type) {
    case 'bearer':
      return inHeaders({ authorization: `Bearer ${secret}` });
    case 'header':
      return inHeaders({ [auth.name.toLowerCase()]: secret });
    case 'query':
      return { headers: {}, query: { [auth.name]: secret }, redact: createRedactor(secret) };
    case 'basic': {
      const pair = Buffer.from(`${auth.username}:${secret}`).toString('base64');
      return inHeaders({ authorization: `Basic ${pair}` }, pair);
    }
    case 'oauth': {
      const token = await requestToken(deps, auth, secret, signal);
      return inHeaders({ authorization: `Bearer ${token}` }, token);
    }
  }
}

const TOKEN_BYTES = 64 * 1024;
const tokenResponse = z.looseObject({
  access_token: z
    .string()
    .min(1)
    .max(16_000)
    .regex(/^[\x21-\x7e]+$/),
});

/** Requests a token with client credentials (RFC 6749, 4.4). */
async function requestToken(
  { egress }: Deps,
  { tokenUrl, clientId, scopes }: Extract<ServerAuth, { type: 'oauth' }>,
  clientSecret: string,
  signal: AbortSignal,
): Promise<string> {
  const fetch = createBoundedFetch(egress.fetch, { maxBytes: TOKEN_BYTES, server: 'The token URL' });
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scopes.length > 0) form.set('scope', scopes.join(' '));
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  try {
    const response = await fetch(tokenUrl, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: form.toString(),
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new AppError('upstream_error', `The token URL returned HTTP ${response.status}. Check the client secret.`);
    }
    return tokenResponse.parse(await response.json()).access_token;
  } catch (error) {
    throw toServerError(error, signal, 'The token URL');
  }
}

/** Translates an error of a request. Texts of the server are only in its cause. */
export function toServerError(error: unknown, signal: AbortSignal, what = 'The server'): unknown {
  if (signal.aborted) return signal.reason;
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof AppError) return cause;
  const blocked = egressErrorIn(error);
  if (blocked !== undefined) return new AppError('upstream_error', blocked.message, { cause: error });
  return new AppError('upstream_error', `${what} is unavailable, or its response is invalid.`, { cause: error });
}

/** Returns the address of an MCP server with the parameters of its authentication. */
export function addressOf(url: string, query: Authentication['query']): URL {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return address;
}

/** Lists the tools of a server. Throws `upstream_error`, `timeout`, `unavailable`. */
export async function listTools(deps: Deps, server: ToolServer, signal: AbortSignal): Promise<Listing> {
  const deadline = AbortSignal.timeout(LIST_MS);
  const ends = AbortSignal.any([signal, deadline]);
  try {
    if (server.kind === 'openapi') {
      return await checkListing({ document: await documentOf(deps, server, ends) }, ends);
    }
    const { headers, query, redact } = await authenticate(deps, server, ends);
    const wait = { signal: ends, timeoutMs: LIST_MS };
    const address = { url: addressOf(server.url, query), headers, redact, fetch: deps.egress.fetchWithinOrigin };
    const session = await openMcpSession(address, wait);
    try {
      return await checkListing({ listing: await session.listTools(wait) }, ends);
    } finally {
      await session.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!deadline.aborted) throw error;
    throw new AppError('timeout', `The server did not list its tools within ${LIST_MS / 1_000} s.`, { cause: error });
  }
}

/** Reads the OpenAPI document. Sends no credentials: whoever describes a server need not be it. */
async function documentOf({ egress }: Deps, { document, documentUrl }: ToolServer, signal: AbortSignal) {
  if (document !== null) return document;
  if (documentUrl === null) throw new TypeError('The server has no OpenAPI document.');
  const fetch = createBoundedFetch(egress.fetch, {
    maxBytes: SERVER_LIMITS.listBytes,
    server: 'The address of the document',
  });
  try {
    const response = await fetch(documentUrl, { headers: { accept: 'application/json, application/yaml' }, signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw new AppError('upstream_error', `The address of the document returned HTTP ${response.status}.`);
    }
    const { text } = await readText(response, SERVER_LIMITS.listBytes);
    return text;
  } catch (error) {
    throw toServerError(error, signal, 'The address of the document');
  }
}
