import type { ErrorCode } from '@lectern/contracts';
import { AppError } from '@lectern/service-kit';
import { z } from 'zod';
import type { Endpoint } from '#endpoint/endpoint';

/** One failed attempt. */
export class FailedAttempt extends Error {
  /** The error for the caller of the endpoint. */
  readonly error: AppError;
  /** Whether the same request can succeed later. */
  readonly isTemporary: boolean;
  /** The wait that the provider requests. */
  readonly retryAfterMs: number | undefined;

  constructor(error: AppError, isTemporary: boolean, retryAfterMs?: number) {
    super(error.message, { cause: error.cause });
    this.error = error;
    this.isTemporary = isTemporary;
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Short error codes of providers. Their messages can repeat what was sent, so those are never
 * logged.
 */
const errorBody = z.object({
  error: z.object({ type: z.string().max(100).nullish(), code: z.union([z.string().max(100), z.number()]).nullish() }),
});

/**
 * Describes a response with a status other than 2xx. The message contains neither the API key nor
 * the address.
 */
export function statusFailure(endpoint: Endpoint, status: number, body: string, retryAfterMs?: number): FailedAttempt {
  const cause = new Error(`HTTP ${status} ${codesOf(body)}`.trim());
  const failed = (what: string, isTemporary: boolean) =>
    new FailedAttempt(upstream(endpoint, what, cause), isTemporary, retryAfterMs);
  const { settings } = endpoint;
  if (status === 401 || status === 403) {
    return failed(`rejected the API key (HTTP ${status}). Check ${settings}_API_KEY.`, false);
  }
  if (status === 404) {
    return failed(`does not know the model or URL (HTTP 404). Check ${settings}_MODEL and ${settings}_*URL.`, false);
  }
  if (status === 429) return failed('receives too many requests (HTTP 429). Try again later or raise its limit.', true);
  if (status === 408 || status === 425 || status >= 500) {
    return failed(`failed (HTTP ${status}). Try again later.`, true);
  }
  return failed(`rejected the request (HTTP ${status}).`, false);
}

/** Describes a request without a complete response. */
export function connectionFailure(endpoint: Endpoint, cause: unknown): FailedAttempt {
  const what = 'is unreachable or closed the connection. Check its URL and try again.';
  return new FailedAttempt(upstream(endpoint, what, cause), true);
}

/** Describes an attempt without a response within its deadline. */
export function timeoutFailure(endpoint: Endpoint, cause: unknown): FailedAttempt {
  return new FailedAttempt(upstream(endpoint, 'took too long. Try again.', cause, 'timeout'), true);
}

/** Creates an error from the rest of the sentence "The embedding provider …". */
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
    const { type, code } = errorBody.parse(JSON.parse(body)).error;
    return [type, code].filter((part) => part != null).join(' ');
  } catch {
    return '';
  }
}
