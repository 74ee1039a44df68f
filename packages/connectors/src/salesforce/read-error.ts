import { z } from 'zod';
import { createGrowingWait } from '../http/growing-wait.ts';
import { retryDate } from '../http/retry-after.ts';
import { SourceError } from '../source-error.ts';

const Body = z.array(z.object({ errorCode: z.string(), message: z.string().default('') })).min(1);

/** The limit of a day is counted over the last 24 hours: some of it comes free all the time. */
const USED_UP_WAIT_MS = 15 * 60_000;
/** Where it is not known whether the day's limit is meant, or that of long requests at one time. */
const WAITS_MS = [1_000, 5_000, 30_000, 120_000, USED_UP_WAIT_MS] as const;

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

/** True where the answer itself says that no requests of the day are left (`api-usage=15000/15000`). */
function isUsedUp(headers: Headers): boolean {
  const [, used, limit] = /api-usage=(\d+)\/(\d+)/.exec(headers.get('sforce-limit-info') ?? '') ?? [];
  return used !== undefined && Number(used) >= Number(limit);
}

/** Reads Salesforce's list of errors, which says more than the status; one reader a connector. */
export function createSalesforceErrorReader() {
  const wait = createGrowingWait(WAITS_MS);

  const rate = (headers: Headers) => {
    const unsaid = isUsedUp(headers) ? new Date(Date.now() + USED_UP_WAIT_MS) : wait.next();
    const retryAt = retryDate(headers.get('retry-after')) ?? unsaid;
    return new SourceError('rate', 'The limit of API requests of this Salesforce organisation is used up.', {
      retryAt,
    });
  };

  return (answer: { status: number; headers: Headers; body: unknown }): SourceError | undefined => {
    const { status } = answer;
    if (status < 400) {
      wait.reset();
      return undefined;
    }
    if (status === 414 || status === 431) return new SalesforceRefusal('URI_TOO_LONG', 'The query is too long.');
    const first = Body.safeParse(answer.body).data?.[0];
    return first === undefined ? undefined : readCode(first, answer, rate);
  };
}

function readCode(
  { errorCode, message }: { errorCode: string; message: string },
  { status, headers }: { status: number; headers: Headers },
  rate: (headers: Headers) => SourceError,
): SourceError | undefined {
  if (errorCode === 'REQUEST_LIMIT_EXCEEDED') return rate(headers);
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
