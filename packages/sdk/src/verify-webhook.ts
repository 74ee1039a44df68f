import type { Schemas } from './types.ts';

/** An event that a webhook received. */
export type WebhookEvent = Schemas['WebhookEvent'];

/** The headers of a request: those of `fetch`, of Node, or a plain object with lower-case names. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request to a webhook does not come from Lectern, was changed on the way, or is too old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface VerifyWebhookOptions {
  /** How old or early the request may be, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** The current time in milliseconds. Default: `Date.now()`. */
  readonly now?: number;
}

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 300;

/**
 * Verifies a request to a webhook (https://www.standardwebhooks.com) and returns its event. Pass the body
 * exactly as it was received, before it is parsed. `secrets` can be a list while a secret is rotated.
 * Throws `WebhookVerificationError`. Ignore an event whose `webhook-id` you have already processed: an
 * event can arrive more than once.
 */
export async function verifyWebhook(
  body: string | Uint8Array<ArrayBuffer>,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) {
    throw new WebhookVerificationError('The headers webhook-id, webhook-timestamp and webhook-signature are required.');
  }
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError('The timestamp is too old or too early. Check the clock of this machine.');
  }
  const text = new TextEncoder();
  const bytes = typeof body === 'string' ? text.encode(body) : body;
  const head = text.encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + bytes.length);
  signed.set(head);
  signed.set(bytes, head.length);
  const given = signatures.split(' ').flatMap((signature) => decode(/^v1,(.+)$/.exec(signature)?.[1]) ?? []);
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = decode(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
    if (key === undefined) throw new TypeError('A secret must be whsec_ and Base64, as Lectern returned it.');
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
    // `verify` compares in constant time.
    for (const signature of given) {
      if (await crypto.subtle.verify('HMAC', imported, signature, signed))
        return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
    }
  }
  throw new WebhookVerificationError('No signature matches. Check the secret, and pass the body unchanged.');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = hasGet(headers) ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : undefined;
}

const hasGet = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function';

function decode(base64: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  try {
    return base64 === undefined || base64 === ''
      ? undefined
      : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
