import { SourceError } from '#source-error';

/** The wait if the response does not name one. */
const DEFAULT_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Errors that the status alone does not identify. A 429 has `Retry-After` or `RateLimit-Reset`, in
 * seconds since 1970.
 * https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/#response-headers
 * https://docs.gitlab.com/api/rest/troubleshooting/#status-codes
 */
export function readGitlabError(response: {
  status: number;
  headers: Headers;
  body: unknown;
}): SourceError | undefined {
  const { status, headers, body } = response;
  if (status === 401) {
    return new SourceError(
      'auth',
      'GitLab rejected the token. It may have expired. Update the credentials of the connector.',
    );
  }
  if (status === 403 && isRecord(body) && body.error === 'insufficient_scope') {
    return new SourceError('forbidden', 'The token lacks a scope. Create one with the scope read_api.');
  }
  if (status !== 429 || headers.has('retry-after')) return undefined;
  const reset = Number(headers.get('ratelimit-reset') ?? Number.NaN) * 1_000 - Date.now();
  const waitMs = Number.isFinite(reset) ? Math.min(Math.max(reset, 0), LONGEST_WAIT_MS) : DEFAULT_WAIT_MS;
  return new SourceError('rate', 'GitLab limits the request rate. The sync continues later.', {
    retryAt: new Date(Date.now() + waitMs),
  });
}
