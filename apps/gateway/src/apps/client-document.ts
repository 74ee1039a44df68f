import { EgressError, type EgressGuard } from '@lectern/egress';
import { AppError } from '@lectern/service-kit';
import { type ClientMetadata, parseClientMetadata } from '#apps/client-metadata';
import { OauthError } from '#apps/oauth-error';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 16 * 1024;
const MAX_URL = 500;
const MIN_FRESH_S = 5 * 60;
const MAX_FRESH_S = 24 * 60 * 60;
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;

/** A client that describes itself in a document at the URL of its id. */
export interface ClientDocument extends ClientMetadata {
  readonly freshUntil: Date;
}

/** True if a client id is the URL of a document: https, with a path, exactly as a browser would write it. */
export function isDocumentUrl(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > MAX_URL || !URL.canParse(clientId)) return false;
  const { href, pathname, username, password, hash, port } = new URL(clientId);
  return href === clientId && pathname !== '/' && username === '' && password === '' && hash === '' && port === '';
}

const unusable = (reason: string) =>
  new AppError('upstream_error', `The description of this app cannot be used: ${reason} Ask the app's developer.`);

async function readDocument(response: Response): Promise<unknown> {
  if (response.status !== 200) throw unusable(`its address returned HTTP ${response.status}.`);
  if (!JSON_TYPE.test(response.headers.get('content-type') ?? '')) throw unusable('it is not JSON.');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw unusable(`it is larger than ${MAX_BYTES / 1024} KiB.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw unusable('it is not JSON.');
  }
}

function freshSeconds(cacheControl: string | null): number {
  if (cacheControl === null || /no-store|no-cache/i.test(cacheControl)) return MIN_FRESH_S;
  const seconds = Number(/max-age=(\d{1,9})/i.exec(cacheControl)?.[1] ?? MIN_FRESH_S);
  return Math.min(MAX_FRESH_S, Math.max(MIN_FRESH_S, seconds));
}

/**
 * Reads the document of a client (OAuth Client ID Metadata Document). Throws `upstream_error` with a
 * message that contains nothing from the document.
 */
export async function fetchClientDocument({ fetch }: EgressGuard, clientId: string): Promise<ClientDocument> {
  let response: Response;
  let document: unknown;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    response = await fetch(clientId, { headers: { Accept: 'application/json' }, redirect: 'error', signal });
    document = await readDocument(response);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof EgressError ? error.message : 'its address does not respond.';
    throw new AppError('upstream_error', unusable(reason).message, { cause: error });
  }
  const stated = Object(document);
  if (stated.client_id !== clientId) throw unusable('it describes another client.');
  const method = stated.token_endpoint_auth_method ?? 'none';
  if (method !== 'none' || 'client_secret' in stated) {
    throw unusable('it requires client authentication, which Lectern does not support.');
  }
  try {
    const seconds = freshSeconds(response.headers.get('cache-control'));
    return { ...parseClientMetadata(document), freshUntil: new Date(Date.now() + seconds * 1_000) };
  } catch (error) {
    if (error instanceof OauthError) throw unusable(error.message);
    throw error;
  }
}
