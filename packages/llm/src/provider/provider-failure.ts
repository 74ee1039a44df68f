import { AppError } from '@lectern/service-kit';

/** What went wrong with a provider's answer, as its client tells it. */
export interface ProviderFault {
  /** HTTP status; left out for lost connections, and for errors within a stream that do not tell it. */
  readonly status?: number | undefined;
  /** The provider's short code: `overloaded_error`, `context_length_exceeded`. */
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  /** The provider's request id. */
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** A fault as callers see it. */
export interface ProviderFailure {
  readonly error: AppError;
  /** Whether the same request may go well the next time. */
  readonly isPassing: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** How errors speak of a provider. */
export interface ProviderName {
  /** `Anthropic`, `The model server`. */
  readonly name: string;
  /** What its settings begin with: `ANTHROPIC`. */
  readonly settings: string;
}

const OVERLOADED = /overload|rate.?limit|too.many.requests|capacity|server_busy/i;
const TOO_LONG =
  /context.?length|context.?window|too long|maximum context|too many tokens|exceeds? the (?:available|maximum)/i;
const BILLING = /insufficient_quota|billing|credit balance/i;

/**
 * What a fault means. The text shown outside names neither the key nor the address nor what was sent: providers repeat all three in their
 * messages. The log gets status and code.
 */
export function failureOf({ name, settings }: ProviderName, fault: ProviderFault): ProviderFailure {
  const { status, type = '', message = '', requestId, retryAfterMs } = fault;
  const cause = Object.assign(new Error(`HTTP ${status ?? 'stream'} ${type}`.trim()), {
    status,
    // At most two codes; a value with more words is not a code.
    code: /^\S+( \S+)?$/.test(type) ? type.replace(' ', '/') : undefined,
    requestId,
  });
  const lasting = (code: 'upstream_error' | 'invalid_request', text: string): ProviderFailure => ({
    error: new AppError(code, text, { cause }),
    isPassing: false,
  });
  const passing = (code: 'upstream_error' | 'unavailable', text: string): ProviderFailure => ({
    error: new AppError(code, text, { cause }),
    isPassing: true,
    retryAfterMs,
  });
  if (BILLING.test(type) || (status === 400 && BILLING.test(message))) {
    return lasting('upstream_error', `${name} refuses the account: check its plan and its billing.`);
  }
  if (status === 401 || status === 403) {
    return lasting('upstream_error', `${name} refused the key: check ${settings}_API_KEY.`);
  }
  if (status === 413 || TOO_LONG.test(type) || (status === 400 && TOO_LONG.test(message))) {
    return lasting('invalid_request', 'The conversation and its sources are too long for the model.');
  }
  if (status === 404) {
    return lasting(
      'upstream_error',
      `${name} knows no such model or address: check CHAT_MODEL and ${settings}_BASE_URL.`,
    );
  }
  if (status === 429 || status === 529 || status === 503 || OVERLOADED.test(type)) {
    return passing('unavailable', `${name} is overloaded. Try again shortly.`);
  }
  if (status === undefined || status === 408 || status === 409 || status >= 500) {
    return passing('upstream_error', `${name} failed. Try again.`);
  }
  return lasting('upstream_error', `${name} refused the request (HTTP ${status}).`);
}

/** A request that found nobody, or whose answer broke off before it began. */
export function failureOfConnection({ name, settings }: ProviderName, cause: unknown): ProviderFailure {
  const message = `${name} cannot be reached. Try again, or check ${settings}_BASE_URL.`;
  return { error: new AppError('unavailable', message, { cause }), isPassing: true };
}

/** An answer that cannot be read, or that broke off: neither status nor code tell more. */
export function failureOfAnswer({ name }: ProviderName, cause: unknown): ProviderFailure {
  return { error: new AppError('upstream_error', `${name} failed. Try again.`, { cause }), isPassing: true };
}

/** A reply that broke off in the middle. */
export function brokenOff({ name }: ProviderName, cause?: unknown): AppError {
  return new AppError('upstream_error', `${name} broke off in the middle of the reply. Try again.`, { cause });
}

/** An answer that is neither a reply nor an error: a page of a proxy, or an address that belongs to something else. */
export function noEvents({ name, settings }: ProviderName): AppError {
  return new AppError('upstream_error', `${name} did not answer with a stream of events: check ${settings}_BASE_URL.`);
}
