import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint, Patience } from '#endpoint/endpoint';
import { type Failure, failureOfConnection, failureOfStatus, failureOfTime } from '#endpoint/endpoint-failure';
import { readText } from '#endpoint/read-text';
import { backoff, readRetryAfter } from '#endpoint/retry-delay';

type Outcome = { readonly answer: unknown } | Failure;

/**
 * Sends JSON to a provider and gives its answer. Tries again, within the patience, what may pass: 408, 425, 429, 5xx, lost connections, answers that
 * break off, tries that take too long. A provider's Retry-After is kept to; one beyond the time left ends the call at once.
 * @throws AppError `timeout` or `upstream_error`, and the signal's reason where that ends it
 */
export async function postJson(
  endpoint: Endpoint,
  body: unknown,
  patience: Patience,
  signal?: AbortSignal,
): Promise<unknown> {
  const request = JSON.stringify(body);
  const deadline = performance.now() + patience.totalMs;
  for (let tries = 1; ; tries += 1) {
    signal?.throwIfAborted();
    const left = deadline - performance.now();
    const outcome = await tryOnce(endpoint, request, Math.min(patience.tryMs, left), signal);
    if ('answer' in outcome) return outcome.answer;
    const wait = outcome.retryAfterMs ?? backoff(tries);
    if (!outcome.isPassing || tries >= patience.tries || performance.now() + wait >= deadline) throw outcome.error;
    await pause(wait, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
  }
}

async function tryOnce(
  endpoint: Endpoint,
  body: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
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
      // A redirect would carry the texts to an address that nobody configured.
      redirect: 'error',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await readText(response);
    if (response.ok) return { answer: JSON.parse(text) };
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), Date.now());
    return { ...failureOfStatus(endpoint, response.status, text), retryAfterMs };
  } catch (cause) {
    signal?.throwIfAborted();
    return timeout.aborted ? failureOfTime(endpoint, cause) : failureOfConnection(endpoint, cause);
  }
}
