import { SourceError } from '../source-error.ts';

/** A fault on the site's side, which asking for a smaller page may avoid better than asking for the same again. */
export class SiteFault extends SourceError {
  override get retryable(): boolean {
    return false;
  }
}

const FAULTS: ReadonlySet<number> = new Set([500, 502, 504]);

/** Without a hint when to come back. */
const DEFAULT_WAIT_MS = 60_000;

/**
 * What the status alone does not say. A 429 has `Retry-After` (seconds) or `X-RateLimit-Reset` (ISO 8601); Data Center answers 403 with
 * `X-Seraph-LoginReason` where it has locked an account out.
 * https://developer.atlassian.com/cloud/confluence/rate-limiting/
 */
export function readConfluenceError(answer: { status: number; headers: Headers }): SourceError | undefined {
  const { status, headers } = answer;
  const denied = headers.get('x-seraph-loginreason') ?? '';
  if (status === 401 || (status === 403 && /AUTHENTICATED_FAILED|AUTHENTICATION_DENIED/.test(denied))) {
    return new SourceError(
      'auth',
      'Confluence does not accept these credentials. For Cloud give the e-mail and an API token, for Data Center a personal access token.',
    );
  }
  if (status !== 429 || headers.get('retry-after') !== null) return undefined;
  const reset = Date.parse(headers.get('x-ratelimit-reset') ?? '');
  const retryAt = new Date(Number.isNaN(reset) ? Date.now() + DEFAULT_WAIT_MS : reset);
  return new SourceError('rate', 'Confluence asks for fewer requests.', { retryAt });
}

/** The same for pages of lists. */
export function readListError(answer: { status: number; headers: Headers }): SourceError | undefined {
  const { status } = answer;
  if (!FAULTS.has(status)) return readConfluenceError(answer);
  return new SiteFault('transient', `Confluence has a fault of its own at the moment (status ${status}).`);
}
