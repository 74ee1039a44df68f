import { z } from 'zod';
import { createGrowingWait } from '#http/growing-wait';
import { retryDate } from '#http/retry-after';
import { SourceError } from '#source-error';

const Body = z.array(z.object({ errorCode: z.string(), message: z.string().default('') })).min(1);

/** The daily limit counts the last 24 hours, so requests become available continuously. */
const QUOTA_WAIT_MS = 15 * 60_000;
/**
 * Waits if it is unknown whether the daily limit or the limit of concurrent requests was reached.
 */
const WAITS_MS = [1_000, 5_000, 30_000, 120_000, QUOTA_WAIT_MS] as const;

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

/** Salesforce rejects the request as invalid. */
export class SalesforceRejection extends SourceError {
  readonly code: string;
  /** Salesforce's message on one line. */
  readonly reason: string;

  constructor(code: string, reason: string) {
    const short = reason.replace(/\s+/g, ' ').trim().slice(0, 300);
    super('invalid', `Salesforce rejected the request (${code}): ${short}`);
    this.code = code;
    this.reason = short;
  }
}

/**
 * Returns true if the response header shows that the daily limit is used up
 * (`api-usage=15000/15000`).
 */
function isQuotaUsedUp(headers: Headers): boolean {
  const [, used, limit] = /api-usage=(\d+)\/(\d+)/.exec(headers.get('sforce-limit-info') ?? '') ?? [];
  return used !== undefined && Number(used) >= Number(limit);
}

/**
 * Creates the error reader of a connector. Salesforce returns a list of errors that is more
 * specific than the status.
 */
export function createSalesforceErrorReader() {
  const wait = createGrowingWait(WAITS_MS);

  const rate = (headers: Headers) => {
    const defaultRetryAt = isQuotaUsedUp(headers) ? new Date(Date.now() + QUOTA_WAIT_MS) : wait.next();
    const retryAt = retryDate(headers.get('retry-after')) ?? defaultRetryAt;
    return new SourceError(
      'rate',
      'The API request limit of this Salesforce organization is used up. The sync continues later.',
      {
        retryAt,
      },
    );
  };

  return (response: { status: number; headers: Headers; body: unknown }): SourceError | undefined => {
    const { status } = response;
    if (status < 400) {
      wait.reset();
      return undefined;
    }
    if (status === 414 || status === 431) return new SalesforceRejection('URI_TOO_LONG', 'The query is too long.');
    const first = Body.safeParse(response.body).data?.[0];
    return first === undefined ? undefined : readCode(first, response, rate);
  };
}

function readCode(
  { errorCode, message }: { errorCode: string; message: string },
  { status, headers }: { status: number; headers: Headers },
  rate: (headers: Headers) => SourceError,
): SourceError | undefined {
  if (errorCode === 'REQUEST_LIMIT_EXCEEDED') return rate(headers);
  if (AUTH.has(errorCode))
    return new SourceError('auth', 'Salesforce rejected the session. Update the credentials of the connector.');
  if (GONE.has(errorCode) || message.includes('invalid ID field')) {
    return new SourceError('gone', 'The Salesforce record no longer exists, or this user has no access to it.');
  }
  if (TRANSIENT.has(errorCode) && !headers.has('retry-after')) {
    return new SourceError('transient', 'Salesforce is temporarily unavailable. Try again later.');
  }
  if (FORBIDDEN.has(errorCode)) {
    return new SourceError('forbidden', 'The Salesforce user has no API access to this. Check its permissions.');
  }
  return status === 400 ? new SalesforceRejection(errorCode, message) : undefined;
}

const LoginBody = z.object({ error: z.string(), error_description: z.string().default('') });
const OVERLOADED: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'server_error', 'temporarily_unavailable']);

/** Returns the error of a login, in OAuth format. */
export function readLoginError(response: { status: number; body: unknown }): SourceError | undefined {
  const { error, error_description } = LoginBody.safeParse(response.body).data ?? {};
  if (response.status < 400 || error === undefined || OVERLOADED.has(error)) return undefined;
  if (/not supported on this domain/i.test(error_description ?? '')) {
    return new SourceError(
      'auth',
      "Salesforce requires applications to sign in at the organization's domain. Set SALESFORCE_LOGIN_URL to it.",
    );
  }
  return new SourceError(
    'auth',
    'Salesforce rejected clientId and clientSecret, or the client credentials flow is not enabled for the application. Check both.',
  );
}
