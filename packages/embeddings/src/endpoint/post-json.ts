import { retry, retryAfterMs } from '@lectern/resilience';
import type { CallLimits, Endpoint } from '#endpoint/endpoint';
import { connectionFailure, FailedAttempt, statusFailure, timeoutFailure } from '#endpoint/endpoint-failure';
import { readText } from '#endpoint/read-text';

const BACKOFF = { minDelayMs: 125, maxDelayMs: 8_000 } as const;

/**
 * Posts JSON to a provider and returns its parsed response. Retries 408, 425, 429, 5xx, lost
 * connections, incomplete responses and attempts that time out. Waits as long as `Retry-After`
 * requests, and fails immediately if that is longer than the remaining time.
 * @throws AppError `timeout` or `upstream_error`, or the signal's reason
 */
export async function postJson(
  endpoint: Endpoint,
  body: unknown,
  limits: CallLimits,
  signal?: AbortSignal,
): Promise<unknown> {
  const request = JSON.stringify(body);
  const deadline = performance.now() + limits.totalMs;
  const attempt = () => tryOnce(endpoint, request, Math.min(limits.attemptMs, deadline - performance.now()), signal);
  try {
    return await retry(attempt, {
      ...BACKOFF,
      attempts: limits.attempts,
      totalMs: limits.totalMs,
      shouldRetry: (error) => error instanceof FailedAttempt && error.isTemporary,
      delayMs: (error) => (error instanceof FailedAttempt ? error.retryAfterMs : undefined),
      signal,
    });
  } catch (error) {
    throw error instanceof FailedAttempt ? error.error : error;
  }
}

async function tryOnce(
  endpoint: Endpoint,
  body: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(endpoint.apiKey === undefined ? {} : { authorization: `Bearer ${endpoint.apiKey}` }),
      },
      body,
      // A redirect would send the texts to another address.
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await readText(response);
    if (response.ok) return JSON.parse(text);
    throw statusFailure(endpoint, response.status, text, retryAfterMs(response.headers.get('retry-after')));
  } catch (error) {
    if (error instanceof FailedAttempt) throw error;
    signal?.throwIfAborted();
    throw timeout.aborted ? timeoutFailure(endpoint, error) : connectionFailure(endpoint, error);
  }
}
