import { AppError, type ErrorCode } from '@lectern/service-kit';
import { z } from 'zod';
import type { Endpoint } from '#endpoint/endpoint';

/** What went wrong with one try. */
export interface Failure {
  readonly error: AppError;
  /** Whether the same request may go well the next time. */
  readonly isPassing: boolean;
  /** Milliseconds that the provider asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/** Short codes by which providers tell refusals apart. Their messages may repeat what was sent to them, so those are never logged. */
const refusal = z.object({
  error: z.object({ type: z.string().max(100).nullish(), code: z.union([z.string().max(100), z.number()]).nullish() }),
});

/** What a status other than 2xx means. The text shown outside names neither the key nor the address. */
export function failureOfStatus(endpoint: Endpoint, status: number, body: string): Failure {
  const cause = new Error(`HTTP ${status} ${codesOf(body)}`.trim());
  const failed = (what: string, isPassing: boolean) => ({
    error: upstream(endpoint, `${what} (HTTP ${status}).`, cause),
    isPassing,
  });
  const { settings } = endpoint;
  if (status === 401 || status === 403) return failed(`refused the key: check ${settings}_API_KEY`, false);
  if (status === 404)
    return failed(`knows no such model or address: check ${settings}_MODEL and ${settings}_*URL`, false);
  if (status === 429) return failed('gets more requests than it allows: try again later, or raise its limit', true);
  if (status === 408 || status === 425 || status >= 500) return failed('failed: try again later', true);
  return failed('refused the request', false);
}

/** A request that brought no whole answer. */
export function failureOfConnection(endpoint: Endpoint, cause: unknown): Failure {
  return { error: upstream(endpoint, 'cannot be reached, or broke off its answer.', cause), isPassing: true };
}

/** No answer within the time given. */
export function failureOfTime(endpoint: Endpoint, cause: unknown): Failure {
  return { error: upstream(endpoint, 'took too long. Try again.', cause, 'timeout'), isPassing: true };
}

/** An answer that is whole, and is not what was asked for. */
export function upstream(
  { name }: Endpoint,
  what: string,
  cause?: unknown,
  code: ErrorCode = 'upstream_error',
): AppError {
  return new AppError(code, `The ${name} ${what}`, { cause });
}

function codesOf(body: string): string {
  try {
    const { type, code } = refusal.parse(JSON.parse(body)).error;
    return [type, code].filter((part) => part != null).join(' ');
  } catch {
    return '';
  }
}
