import { z } from 'zod';
import { createGrowingWait } from '#http/growing-wait';
import { retryDate } from '#http/retry-after';
import { SourceError } from '#source-error';

const Body = z.object({
  error: z.object({
    message: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

/** Rate limits. Google recommends exponential backoff from one second. */
const RATE_LIMITS: ReadonlySet<string> = new Set([
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
  'sharingRateLimitExceeded',
  'quotaExceeded',
]);
const WAITS_MS = [1_000, 5_000, 15_000, 60_000] as const;

/** Daily quotas of the application or a file. */
const QUOTAS: ReadonlySet<string> = new Set(['dailyLimitExceeded', 'downloadQuotaExceeded']);
const QUOTA_WAIT_MS = 3_600_000;

/** What the errors of a service mean. */
export interface GoogleService {
  /** The name in messages, for example `Google Drive`. */
  readonly name: string;
  /** What to do if Google rejects the authorization; it depends on who authorizes the requests. */
  readonly authorization: string;
  /** Reasons of a 403 that do not concern the request rate, with their messages. */
  readonly forbidden: ReadonlyMap<string, string>;
  /** Recognizes errors by their reasons, before their status decides. */
  readonly recognize?: (error: {
    readonly status: number;
    readonly reasons: readonly string[];
  }) => SourceError | undefined;
}

/** The messages of a service that is disabled, or that the authorization does not include. */
export const accessReasons = (disabledApi: string, missingScope: string): readonly (readonly [string, string])[] => [
  ['accessNotConfigured', disabledApi],
  ['SERVICE_DISABLED', disabledApi],
  ['insufficientPermissions', missingScope],
  ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', missingScope],
];

/**
 * Creates the error reader of a connector. A 403 from Google does not always mean missing permissions.
 * https://developers.google.com/workspace/drive/api/guides/handle-errors
 * https://developers.google.com/workspace/gmail/api/guides/handle-errors
 */
export function createGoogleErrorReader({ name, authorization, forbidden, recognize }: GoogleService) {
  const wait = createGrowingWait(WAITS_MS);
  return (response: { status: number; headers: Headers; body: unknown }): SourceError | undefined => {
    const { status, headers } = response;
    if (status < 400) {
      wait.reset();
      return undefined;
    }
    const error = Body.safeParse(response.body).data?.error;
    const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].flatMap(({ reason }) => reason ?? []);
    const quotaUsedUp = reasons.some((reason) => QUOTAS.has(reason));
    if (status === 429 || (status === 403 && (quotaUsedUp || reasons.some((reason) => RATE_LIMITS.has(reason))))) {
      const defaultRetryAt = quotaUsedUp ? new Date(Date.now() + QUOTA_WAIT_MS) : wait.next();
      const retryAt = retryDate(headers.get('retry-after')) ?? defaultRetryAt;
      return new SourceError('rate', `${name} limits the request rate. The sync continues later.`, { retryAt });
    }
    const recognized = recognize?.({ status, reasons });
    if (recognized !== undefined) return recognized;
    if (status === 401) {
      return new SourceError('auth', `Google no longer accepts the authorization. ${authorization}`);
    }
    const known = reasons.map((reason) => forbidden.get(reason)).find((message) => message !== undefined);
    return status === 403 && known !== undefined ? new SourceError('forbidden', known) : undefined;
  };
}
