import { retryTime } from '#http/retry-after';
import { SourceError } from '#source-error';

// https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api
const SECONDARY_WAIT_MS = 60_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const messageOf = (body: unknown): string =>
  isRecord(body) && typeof body.message === 'string' ? body.message : typeof body === 'string' ? body : '';

function rateTime(headers: Headers, message: string): Date | undefined {
  if (headers.has('retry-after')) return retryTime(headers);
  if (headers.get('x-ratelimit-remaining') === '0') {
    const reset = Number(headers.get('x-ratelimit-reset')) * 1000;
    if (Number.isFinite(reset) && reset > 0) return new Date(Math.max(reset, Date.now() + 1_000));
  }
  return /rate limit|abuse detection/i.test(message) ? new Date(Date.now() + SECONDARY_WAIT_MS) : undefined;
}

/**
 * Errors that the status alone does not identify: 403 can be a rate limit, and 409 an empty
 * repository.
 */
export function githubError(response: { status: number; headers: Headers; body: unknown }): SourceError | undefined {
  const { status, headers, body } = response;
  const message = messageOf(body);
  if (status === 401)
    return new SourceError(
      'auth',
      'GitHub rejected the token. It may have expired. Update the credentials of the connector.',
    );
  if (status === 403 || status === 429) {
    const retryAt = rateTime(headers, message);
    if (retryAt !== undefined)
      return new SourceError('rate', 'GitHub limits the request rate. The sync continues later.', { retryAt });
  }
  if (status === 403 && /SAML/i.test(message)) {
    return new SourceError(
      'forbidden',
      'The organization requires single sign-on. Authorize the token for it on GitHub.',
    );
  }
  if (status === 409 && /empty/i.test(message)) return new EmptyRepository('gone', 'The repository is empty.');
  if (status === 451) return new SourceError('forbidden', 'GitHub blocks this content for legal reasons.');
  return undefined;
}

/** The repository has no commits yet. */
export class EmptyRepository extends SourceError {}
