import { SourceError } from '#source-error';

/** A server error that a smaller page can avoid; retrying the same request does not help. */
export class SiteFault extends SourceError {
  override get retryable(): boolean {
    return false;
  }
}

const FAULTS: ReadonlySet<number> = new Set([500, 502, 504]);

/** The wait if the response does not name one. */
const DEFAULT_WAIT_MS = 60_000;

/**
 * Errors that the status alone does not identify. A 429 has `Retry-After` (seconds) or
 * `X-RateLimit-Reset` (ISO 8601); Data Center responds 403 with `X-Seraph-LoginReason` for a locked account.
 * https://developer.atlassian.com/cloud/confluence/rate-limiting/
 */
export function readConfluenceError(response: { status: number; headers: Headers }): SourceError | undefined {
  const { status, headers } = response;
  const denied = headers.get('x-seraph-loginreason') ?? '';
  if (status === 401 || (status === 403 && /AUTHENTICATED_FAILED|AUTHENTICATION_DENIED/.test(denied))) {
    return new SourceError(
      'auth',
      'Confluence rejected the credentials. Use an email and API token for Cloud, or a personal access token for Data Center.',
    );
  }
  if (status !== 429 || headers.get('retry-after') !== null) return undefined;
  const reset = Date.parse(headers.get('x-ratelimit-reset') ?? '');
  const retryAt = new Date(Number.isNaN(reset) ? Date.now() + DEFAULT_WAIT_MS : reset);
  return new SourceError('rate', 'Confluence limits the request rate. The sync continues later.', { retryAt });
}

/** Like `readConfluenceError`, for pages of lists. */
export function readListError(response: { status: number; headers: Headers }): SourceError | undefined {
  const { status } = response;
  if (!FAULTS.has(status)) return readConfluenceError(response);
  return new SiteFault('transient', `Confluence returned a server error (HTTP ${status}).`);
}
