import { EgressError, type EgressGuard } from '@lectern/egress';
import { retryAfterMs } from '@lectern/resilience';
import { signedHeaders } from '#webhooks/signing-secret';

/** The characters of a response that are stored. */
const MAX_RESPONSE = 1_024;
const MAX_RESPONSE_BYTES = 4 * MAX_RESPONSE;
const REDIRECTS = { from: 300, to: 399 };

/** One request to an endpoint. */
export interface Attempt {
  readonly at: Date;
  readonly durationMs: number;
  /** Null without a response. */
  readonly responseStatus: number | null;
  /** The beginning of its body. */
  readonly response: string;
  /** Why the event was not accepted. Null if it was. */
  readonly error: string | null;
}

/** The result of a request. */
export interface Sent {
  readonly attempt: Attempt;
  /** The pause that the endpoint asked for. */
  readonly retryAfterMs: number | undefined;
}

export interface EventRequest {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly id: string;
  readonly body: string;
}

export interface SendOptions {
  readonly egress: EgressGuard;
  readonly timeoutMs: number;
  /** True if the operator allows addresses without TLS. */
  readonly allowHttp: boolean;
  readonly now: () => Date;
}

/** Why an address cannot be used, or undefined. */
export const urlProblem = (url: string, allowHttp: boolean): string | undefined =>
  allowHttp || url.startsWith('https:')
    ? undefined
    : 'must begin with https://. The operator of Lectern can allow http with WEBHOOK_ALLOW_HTTP';

/**
 * Sends an event once. Never throws. Only a 2xx status of the endpoint itself is a success: redirects
 * are not followed, and certificates are checked.
 */
export async function sendEvent(
  { url, secrets, id, body }: EventRequest,
  { egress, timeoutMs, allowHttp, now }: SendOptions,
): Promise<Sent> {
  const at = now();
  const startedAt = performance.now();
  const deadline = AbortSignal.timeout(timeoutMs);
  const ended = (rest: Omit<Attempt, 'at' | 'durationMs'>, pauseMs?: number): Sent => ({
    attempt: { at, durationMs: Math.round(performance.now() - startedAt), ...rest },
    retryAfterMs: pauseMs,
  });
  const problem = urlProblem(url, allowHttp);
  if (problem !== undefined) return ended({ responseStatus: null, response: '', error: `The address ${problem}.` });
  try {
    const response = await egress.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Lectern-Webhooks/1',
        'accept-encoding': 'identity',
        ...signedHeaders(secrets, { id, at, body }),
      },
      body,
      redirect: 'manual',
      signal: deadline,
    });
    const { status } = response;
    const text = await readBeginning(response);
    const error = response.ok ? null : statusError(status);
    return ended({ responseStatus: status, response: text, error }, retryAfterMs(response.headers.get('retry-after')));
  } catch (error) {
    return ended({ responseStatus: null, response: '', error: describe(error, deadline, timeoutMs) });
  }
}

function statusError(status: number): string {
  if (status >= REDIRECTS.from && status <= REDIRECTS.to)
    return `The endpoint redirects (${status}). Lectern does not follow redirects: enter the final address.`;
  return `The endpoint returned ${status}.`;
}

/** Reads the beginning of a body, and drops the rest. An incomplete body changes no status. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    while (bytes < MAX_RESPONSE_BYTES) {
      const { value, done } = await reader.read();
      if (done) break;
      chunks.push(value);
      bytes += value.length;
    }
  } catch {
    // The status has arrived, and the body is only for the log.
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  // PostgreSQL stores neither U+0000 nor half a surrogate pair.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\u0000', '').slice(0, MAX_RESPONSE).toWellFormed();
}

/** What people can act on. Errors of sockets and TLS have a code, and never contain secrets. */
function describe(error: unknown, deadline: AbortSignal, timeoutMs: number): string {
  if (error instanceof EgressError) return error.message;
  if (deadline.aborted) return `The endpoint did not respond within ${timeoutMs / 1_000} seconds.`;
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = Reflect.get(cause, 'cause')) {
    if ('code' in cause && typeof cause.code === 'string')
      return `The endpoint could not be reached (${cause.code}). Check its address, certificate and firewall.`;
  }
  return 'The endpoint could not be reached. Check its address.';
}
