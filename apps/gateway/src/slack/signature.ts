import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** How far the clock of a request may be off, as Slack recommends. */
const TOLERANCE_S = 300;
const SECOND_MS = 1_000;
const SIGNATURE = /^v0=[0-9a-f]{64}$/;
const TIMESTAMP = /^\d{1,12}$/;

/** The signature of a request. https://docs.slack.dev/authentication/verifying-requests-from-slack */
export interface SlackSignature {
  readonly timestamp: string;
  readonly signature: string;
}

/** Reads the signature of a request. Returns undefined if it is missing, malformed or too old. */
export function readSlackSignature(headers: IncomingHttpHeaders, now = Date.now()): SlackSignature | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const signature = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return undefined;
  if (!TIMESTAMP.test(timestamp) || !SIGNATURE.test(signature)) return undefined;
  if (Math.abs(now / SECOND_MS - Number(timestamp)) > TOLERANCE_S) return undefined;
  return { timestamp, signature };
}

/** True if the signature was made for these bytes with this secret. */
export function isSignedWith(secret: string, { timestamp, signature }: SlackSignature, body: Buffer): boolean {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return timingSafeEqual(Buffer.from(`v0=${digest}`), Buffer.from(signature));
}
