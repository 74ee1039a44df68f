import { z } from 'zod';
import { createGrowingWait } from '#http/growing-wait';
import { retryDate } from '#http/retry-after';
import { SourceError } from '#source-error';

/** Waits if a response does not name one. */
const WAITS_MS = [2_000, 10_000, 30_000, 120_000] as const;
const LONGEST_WAIT_MS = 24 * 3_600_000;
/** Too many requests, unavailable, timeout at the gateway, bandwidth exceeded. */
const THROTTLED: ReadonlySet<number> = new Set([429, 503, 504, 509]);

const Body = z.object({ error: z.object({ code: z.string().default(''), message: z.string().default('') }) });

/** The links of a delta query have expired. A new query lists everything. */
export class ResyncRequired extends SourceError {
  constructor() {
    super('gone', 'Microsoft 365 no longer knows this position in the list of files. A full sync is needed.');
  }
}

/** SharePoint names the seconds until its limit resets. */
function resetDate(headers: Headers, now: number): Date | undefined {
  const seconds = Number(headers.get('ratelimit-reset') ?? Number.NaN);
  return seconds >= 0 ? new Date(now + Math.min(seconds * 1_000, LONGEST_WAIT_MS)) : undefined;
}

/**
 * Creates the error reader of a connector.
 * https://learn.microsoft.com/en-us/graph/errors
 * https://learn.microsoft.com/en-us/graph/throttling
 * https://learn.microsoft.com/en-us/sharepoint/dev/general-development/how-to-avoid-getting-throttled-or-blocked-in-sharepoint-online
 */
export function createGraphErrorReader() {
  const wait = createGrowingWait(WAITS_MS);

  const rate = (headers: Headers) => {
    const now = Date.now();
    const retryAt = retryDate(headers.get('retry-after'), now) ?? resetDate(headers, now) ?? wait.next();
    return new SourceError('rate', 'Microsoft 365 limits the request rate. The sync continues later.', {
      retryAt: new Date(Math.min(retryAt.getTime(), now + LONGEST_WAIT_MS)),
    });
  };

  return (response: { status: number; headers: Headers; body: unknown }): SourceError | undefined => {
    const { status, headers } = response;
    if (status < 400) {
      wait.reset();
      return undefined;
    }
    if (status === 429 || status === 509 || (THROTTLED.has(status) && headers.has('retry-after'))) return rate(headers);
    if (status === 410) return new ResyncRequired();
    if (status === 401) {
      return new SourceError(
        'auth',
        'Microsoft Graph rejected the token of the application. Check that cloud is the one of the tenant.',
      );
    }
    const code = Body.safeParse(response.body).data?.error.code ?? '';
    if (status === 423) {
      return new SourceError('forbidden', 'This site is locked. An administrator of SharePoint can unlock it.');
    }
    if (status === 403) {
      return new SourceError(
        'forbidden',
        `Microsoft 365 denies the application access (${code.slice(0, 80) || 'HTTP 403'}). Add the application permissions in Entra ID and grant admin consent.`,
      );
    }
    return undefined;
  };
}

const LoginBody = z.object({
  error: z.string(),
  error_description: z.string().default(''),
  error_codes: z.array(z.number()).optional(),
});

/** https://learn.microsoft.com/en-us/entra/identity-platform/reference-error-codes */
const LOGIN_ERRORS: ReadonlyMap<number, string> = new Map([
  [7000215, 'clientSecret is wrong. Use the value of the secret, not its id.'],
  [7000222, 'The client secret has expired. Create a new one in Entra ID and update the credentials.'],
  [7000112, 'The application is disabled in Entra ID. Enable it.'],
  [7000229, 'The application is not set up in this tenant. Grant admin consent in Entra ID.'],
  [700016, 'The tenant has no application with this clientId. Check clientId, tenantId and cloud.'],
  [90002, 'The tenant does not exist. Check tenantId and cloud.'],
  [900023, 'tenantId is not the id of a tenant. Copy the directory (tenant) ID from Entra ID.'],
  [900382, 'The tenant is in another cloud. Check cloud.'],
  [500011, 'Microsoft Graph does not exist in this tenant. Check cloud.'],
  [53003, 'A policy for conditional access blocks the application. Ask an administrator of Entra ID.'],
]);
const OVERLOADED: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error']);

/** Returns the error of a sign-in: the `AADSTS` code decides. */
export function readLoginError(response: { status: number; body: unknown }): SourceError | undefined {
  const { data } = LoginBody.safeParse(response.body);
  const { status } = response;
  if (status < 400 || status === 429 || status >= 500 || data === undefined) return undefined;
  if (OVERLOADED.has(data.error)) {
    return new SourceError('transient', 'The Microsoft sign-in is temporarily unavailable. Try again later.');
  }
  const named = /AADSTS(\d+)/.exec(data.error_description)?.[1];
  const codes = [...(data.error_codes ?? []), ...(named === undefined ? [] : [Number(named)])];
  const known = codes.map((code) => LOGIN_ERRORS.get(code)).find((message) => message !== undefined);
  const code = codes[0] === undefined ? data.error.slice(0, 80) : `AADSTS${codes[0]}`;
  const advice = known ?? 'Check tenantId, clientId and clientSecret.';
  return new SourceError('auth', `Microsoft rejected the sign-in of the application (${code}). ${advice}`);
}
