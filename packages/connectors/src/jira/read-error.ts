import { z } from 'zod';
import { SourceError } from '#source-error';

/** A request that Jira rejects with its own explanation, for example invalid JQL. */
export class JiraRejection extends SourceError {
  readonly reason: string;

  constructor(reason: string) {
    super('invalid', `Jira rejected the request: ${reason}`);
    this.reason = reason;
  }
}

/** The wait if the response does not name one. */
const DEFAULT_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
const MAX_REASON_CHARS = 500;

const Failure = z.object({
  errorMessages: z.array(z.string()).nullish(),
  errors: z.record(z.string(), z.string()).nullish(),
});

function reasonOf(body: unknown): string | undefined {
  const { data } = Failure.safeParse(body);
  const reasons = [...(data?.errorMessages ?? []), ...Object.values(data?.errors ?? {})];
  return reasons.length === 0 ? undefined : reasons.join(' ').slice(0, MAX_REASON_CHARS);
}

/** Cloud names the time in `X-RateLimit-Reset`, Data Center the interval for new requests. */
function waitOf(headers: Headers): number {
  const reset = Date.parse(headers.get('x-ratelimit-reset') ?? '') - Date.now();
  if (!Number.isNaN(reset)) return reset;
  const seconds = Number(headers.get('x-ratelimit-interval-seconds') ?? Number.NaN);
  return seconds > 0 ? seconds * 1_000 : DEFAULT_WAIT_MS;
}

/**
 * Errors that the status alone does not identify. With rejected credentials, Cloud also answers as
 * to an anonymous visitor: 200 with empty lists, or 404. A header shows that. A 429 has
 * `Retry-After` or headers of the edition.
 * https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
 * https://confluence.atlassian.com/adminjiraserver/adjusting-your-code-for-rate-limiting-987143384.html
 * https://support.atlassian.com/jira/kb/jira-cloud-jql-search-rest-api-returns-200-ok-without-api-token/
 */
export function readJiraError(response: { status: number; headers: Headers; body: unknown }): SourceError | undefined {
  const { status, headers, body } = response;
  const login = headers.get('x-seraph-loginreason') ?? '';
  if (status === 401 || /AUTHENTICATED_FAILED|AUTHENTICATION_DENIED/.test(login)) {
    return new SourceError(
      'auth',
      'Jira rejected the credentials. Use an email and API token for Cloud, or a personal access token for Data Center.',
    );
  }
  if (status === 400) {
    const reason = reasonOf(body);
    return reason === undefined ? undefined : new JiraRejection(reason);
  }
  if (status !== 429 || headers.get('retry-after') !== null) return undefined;
  const retryAt = new Date(Date.now() + Math.min(Math.max(waitOf(headers), 0), LONGEST_WAIT_MS));
  return new SourceError('rate', 'Jira limits the request rate. The sync continues later.', { retryAt });
}
