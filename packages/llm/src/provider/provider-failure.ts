import { egressErrorIn } from '@lectern/egress';
import { AppError } from '@lectern/service-kit';

/** An error of a provider, as its client reports it. */
export interface ProviderFault {
  /** HTTP status. Absent for lost connections and for some errors within a stream. */
  readonly status?: number | undefined;
  /** The provider's error code, e.g. `overloaded_error` or `context_length_exceeded`. */
  readonly type?: string | undefined;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The error for callers of the model. */
export interface ProviderFailure {
  readonly error: AppError;
  /** Whether the same request can succeed later. */
  readonly isTransient: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** How error messages refer to a provider and to what a person can check. */
export interface ProviderName {
  /** For example `Anthropic` or `The model server`. */
  readonly name: string;
  /** Where its key is set, for example `ANTHROPIC_API_KEY`. */
  readonly keySetting: string;
  /** Where its address is set, for example `ANTHROPIC_BASE_URL`. */
  readonly urlSetting: string;
  /** Where its models are chosen, for example `CHAT_MODEL`. */
  readonly modelSetting: string;
}

/** Returns the name of a provider whose environment variables have this prefix. */
export const configuredProvider = (name: string, prefix: string): ProviderName => ({
  name,
  keySetting: `${prefix}_API_KEY`,
  urlSetting: `${prefix}_BASE_URL`,
  modelSetting: 'CHAT_MODEL',
});

/** Returns the name of an endpoint that an admin added. */
export const endpointProvider = (name: string): ProviderName => ({
  name: `The model endpoint “${name}”`,
  keySetting: 'its key on the page Models',
  urlSetting: 'its address on the page Models',
  modelSetting: 'its models',
});

const OVERLOADED = /overload|rate.?limit|too.many.requests|capacity|server_busy/i;
const TOO_LONG =
  /context.?length|context.?window|too long|maximum context|too many tokens|exceeds? the (?:available|maximum)/i;
const BILLING = /insufficient_quota|billing|credit balance/i;

/**
 * Translates a fault. The message contains neither the provider's text nor the key, the address or
 * the request, which providers repeat in their messages. The cause has status and code for the log.
 */
export function failureOf(
  { name, keySetting, urlSetting, modelSetting }: ProviderName,
  fault: ProviderFault,
): ProviderFailure {
  const { status, type = '', message = '', requestId, retryAfterMs } = fault;
  const cause = Object.assign(new Error(`HTTP ${status ?? 'stream'} ${type}`.trim()), {
    status,
    // At most two codes. A value with more words is a message.
    code: /^\S+( \S+)?$/.test(type) ? type.replace(' ', '/') : undefined,
    requestId,
  });
  const permanent = (code: 'upstream_error' | 'invalid_request', text: string): ProviderFailure => ({
    error: new AppError(code, text, { cause }),
    isTransient: false,
  });
  const transient = (code: 'upstream_error' | 'unavailable', text: string): ProviderFailure => ({
    error: new AppError(code, text, { cause }),
    isTransient: true,
    retryAfterMs,
  });
  if (BILLING.test(type) || (status === 400 && BILLING.test(message))) {
    return permanent('upstream_error', `${name} rejected the account. Check its plan and billing.`);
  }
  if (status === 401 || status === 403) {
    return permanent('upstream_error', `${name} rejected the API key. Check ${keySetting}.`);
  }
  if (status === 413 || TOO_LONG.test(type) || (status === 400 && TOO_LONG.test(message))) {
    return permanent('invalid_request', 'The conversation and its sources are too long for the model.');
  }
  if (status === 404) {
    return permanent(
      'upstream_error',
      `${name} does not have this model or endpoint. Check ${modelSetting} and ${urlSetting}.`,
    );
  }
  if (status === 429 || status === 529 || status === 503 || OVERLOADED.test(type)) {
    return transient('unavailable', `${name} is overloaded. Try again shortly.`);
  }
  if (status === undefined || status === 408 || status === 409 || status >= 500) {
    return transient('upstream_error', `${name} failed. Try again.`);
  }
  return permanent('upstream_error', `${name} rejected the request (HTTP ${status}).`);
}

/**
 * Returns the failure of a request that did not reach the provider, or whose response never
 * started.
 */
export function failureOfConnection({ name, urlSetting }: ProviderName, cause: unknown): ProviderFailure {
  const message = `${name} cannot be reached. Try again, or check ${urlSetting}.`;
  return { error: new AppError('unavailable', message, { cause }), isTransient: true };
}

/** Returns the failure of a response that is malformed or was cut off, without status and code. */
export function failureOfAnswer({ name }: ProviderName, cause: unknown): ProviderFailure {
  return { error: new AppError('upstream_error', `${name} failed. Try again.`, { cause }), isTransient: true };
}

/** Returns the error for a reply that was cut off in the middle. */
export function interruptedReply({ name }: ProviderName, cause?: unknown): AppError {
  return new AppError('upstream_error', `${name} ended the connection in the middle of the reply. Try again.`, {
    cause,
  });
}

/**
 * Returns the error for a response that is neither a reply nor an error: a proxy's page, or the
 * wrong address.
 */
export function unexpectedResponse({ name, urlSetting }: ProviderName): AppError {
  return new AppError('upstream_error', `${name} did not return an event stream. Check ${urlSetting}.`);
}

/**
 * Returns the failure of a request that Lectern stopped itself: a blocked address, or a response that
 * is too large. Undefined for any other error. The guard's message names only what the admin wrote.
 */
export function failureOfGuard(error: unknown): ProviderFailure | undefined {
  const blocked = egressErrorIn(error);
  if (blocked === undefined) return undefined;
  return { error: new AppError('upstream_error', blocked.message, { cause: error }), isTransient: false };
}
