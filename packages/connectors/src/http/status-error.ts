import { retryTime } from '#http/retry-after';
import { SourceError } from '#source-error';

const OVERLOADED: ReadonlySet<number> = new Set([503, 529]);
const RETRYABLE: ReadonlySet<number> = new Set([408, 425]);

/**
 * Returns the error for an HTTP status; undefined for success. `what` is the resource in the
 * message.
 */
export function statusError(
  platform: string,
  response: { readonly status: number; readonly headers: Headers },
  what: string,
): SourceError | undefined {
  const { status, headers } = response;
  if (status >= 200 && status < 300) return undefined;
  if (status === 401) {
    return new SourceError('auth', `${platform} rejected the credentials. Update the credentials of the connector.`);
  }
  if (status === 403) {
    const advice = 'Grant the account access, or update the credentials of the connector.';
    return new SourceError('forbidden', `${platform} denies access to ${what}. ${advice}`);
  }
  if (status === 404 || status === 410) {
    return new SourceError(
      'gone',
      `${platform} could not find ${what}: it does not exist, or the account has no access to it.`,
    );
  }
  if (status === 429 || (OVERLOADED.has(status) && headers.has('retry-after'))) {
    return new SourceError('rate', `${platform} limits the request rate. The sync continues later.`, {
      retryAt: retryTime(headers),
    });
  }
  if (status >= 500 || RETRYABLE.has(status)) {
    return new SourceError('transient', `${platform} returned a server error (HTTP ${status}). Try again later.`);
  }
  return new SourceError('invalid', `${platform} rejected the request for ${what} (HTTP ${status}).`);
}
