import { applyFieldMask, parseFieldMask } from '#emulators/google/field-mask';
import {
  jsonResponse,
  PlatformError,
  type PlatformRequest,
  type PlatformResponse,
} from '#emulators/platform/platform-server';

/** Google's error shape. */
export function googleError(status: number, reason: string, message: string): PlatformResponse {
  return jsonResponse(status, {
    error: { code: status, message, errors: [{ message, domain: 'global', reason }] },
  });
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'authError',
  403: 'userRateLimitExceeded',
  404: 'notFound',
  410: 'fullSyncRequired',
  429: 'rateLimitExceeded',
  500: 'internalError',
  503: 'backendError',
};

/** Returns an injected fault as an error of Google. 403 means too many requests. */
export const googleRefusal = (status: number, message: string) =>
  googleError(status, REASONS[status] ?? 'unknown', message);

export const refuse = (status: number, reason: string, message: string): never => {
  throw new PlatformError(googleError(status, reason, message));
};

/** Selects the requested fields of a response, or `defaults`. */
export function selected({ query }: PlatformRequest, value: unknown, defaults: string): PlatformResponse {
  try {
    return jsonResponse(200, applyFieldMask(value, parseFieldMask(query.get('fields') ?? defaults)));
  } catch (error) {
    return refuse(400, 'invalidParameter', error instanceof Error ? error.message : 'Invalid field selection');
  }
}

/** Rejects unknown parameters, like Google. */
export function checkParameters({ query }: PlatformRequest, known: readonly string[]): void {
  for (const name of query.keys()) {
    if (!known.includes(name) && name !== 'fields' && name !== 'alt') {
      refuse(400, 'badRequest', `Invalid JSON payload received. Unknown name "${name}"`);
    }
  }
}
