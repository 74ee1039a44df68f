import { z } from 'zod';
import { parseRetryAfter } from '../http/retry-after.ts';
import { SourceError } from '../source-error.ts';

const Body = z.array(z.object({ errorCode: z.string(), message: z.string().default('') })).min(1);

/** The limit of a day is counted over the last 24 hours: some of it comes free all the time. */
const DAILY_WAIT_MS = 15 * 60_000;
const CONCURRENT_WAIT_MS = 30_000;

const AUTH: ReadonlySet<string> = new Set(['INVALID_SESSION_ID', 'INVALID_AUTH_HEADER', 'INVALID_LOGIN']);
const GONE: ReadonlySet<string> = new Set(['NOT_FOUND', 'ENTITY_IS_DELETED', 'MALFORMED_ID']);
const TRANSIENT: ReadonlySet<string> = new Set(['SERVER_UNAVAILABLE', 'QUERY_TIMEOUT', 'UNABLE_TO_LOCK_ROW']);
const FORBIDDEN: ReadonlySet<string> = new Set([
  'API_DISABLED_FOR_ORG',
  'API_CURRENTLY_DISABLED',
  'INSUFFICIENT_ACCESS',
  'INSUFFICIENT_ACCESS_OR_READONLY',
  'FUNCTIONALITY_NOT_ENABLED',
]);

/** Salesforce says that a request makes no sense to it. */
export class SalesforceRefusal extends SourceError {
  readonly code: string;
  /** Salesforce's own words, on one line. */
  readonly reason: string;

  constructor(code: string, reason: string) {
    const short = reason.replace(/\s+/g, ' ').trim().slice(0, 300);
    super('invalid', `Salesforce refused the request (${code}): ${short}`);
    this.code = code;
    this.reason = short;
  }
}

/** What Salesforce's list of errors says beyond the status. */
export function readSalesforceError(answer: {
  status: number;
  headers: Headers;
  body: unknown;
}): SourceError | undefined {
  const { status, headers } = answer;
  if (status < 400) return undefined;
  if (status === 414 || status === 431) return new SalesforceRefusal('URI_TOO_LONG', 'The query is too long.');
  const first = Body.safeParse(answer.body).data?.[0];
  if (first === undefined) return undefined;
  const { errorCode, message } = first;
  if (errorCode === 'REQUEST_LIMIT_EXCEEDED') {
    const waitMs = /concurrent/i.test(message) ? CONCURRENT_WAIT_MS : DAILY_WAIT_MS;
    const retryAt = parseRetryAfter(headers.get('retry-after')) ?? new Date(Date.now() + waitMs);
    return new SourceError('rate', 'The limit of API requests of this Salesforce organisation is used up.', {
      retryAt,
    });
  }
  if (AUTH.has(errorCode)) return new SourceError('auth', 'Salesforce does not accept the session (any more).');
  if (GONE.has(errorCode) || message.includes('invalid ID field')) {
    return new SourceError('gone', 'Salesforce does not have this record (any more), or does not show it.');
  }
  if (TRANSIENT.has(errorCode) && !headers.has('retry-after')) {
    return new SourceError('transient', 'Salesforce could not answer at the moment.');
  }
  if (FORBIDDEN.has(errorCode)) {
    return new SourceError(
      'forbidden',
      'The Salesforce user may not read this through the API. Check its permissions.',
    );
  }
  return status === 400 ? new SalesforceRefusal(errorCode, message) : undefined;
}

const LoginBody = z.object({ error: z.string(), error_description: z.string().default('') });
const OVERLOADED: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'server_error', 'temporarily_unavailable']);

/** What the login says, which is OAuth's form. */
export function readLoginError(answer: { status: number; body: unknown }): SourceError | undefined {
  const { error, error_description } = LoginBody.safeParse(answer.body).data ?? {};
  if (answer.status < 400 || error === undefined || OVERLOADED.has(error)) return undefined;
  if (/not supported on this domain/i.test(error_description ?? '')) {
    return new SourceError(
      'auth',
      "Salesforce signs applications in only at the organisation's own domain. Set SALESFORCE_LOGIN_URL to it.",
    );
  }
  return new SourceError(
    'auth',
    'Salesforce does not accept clientId and clientSecret, or the application has no client-credentials flow.',
  );
}
