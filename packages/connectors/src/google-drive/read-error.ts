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

/** What to do about errors, which depends on who authorizes the requests. */
export interface DriveErrorAdvice {
  readonly authorization: string;
  readonly disabledApi: string;
}

const USER_ADVICE: DriveErrorAdvice = {
  authorization: 'Authorize the connector again.',
  disabledApi: "The Drive API is disabled in the Google Cloud project of the operator's application. Enable it there.",
};

const forbiddenReasons = ({ authorization, disabledApi }: DriveErrorAdvice): ReadonlyMap<string, string> => {
  const scopes = `The authorization does not include reading Drive. ${authorization}`;
  return new Map([
    ...FORBIDDEN,
    ['accessNotConfigured', disabledApi],
    ['SERVICE_DISABLED', disabledApi],
    ['insufficientPermissions', scopes],
    ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', scopes],
  ]);
};

const FORBIDDEN: readonly (readonly [string, string])[] = [
  ['cannotDownloadFile', 'The owner of this file does not allow downloads.'],
  ['cannotDownloadAbusiveFile', 'Google Drive blocks this file as malware or spam.'],
  ['domainPolicy', 'The administrators of this Google Workspace do not allow applications to read Drive.'],
];

/** An export that exceeds Drive's size limit. */
export class ExportTooLarge extends SourceError {
  constructor() {
    super('too_large', 'Google Drive exports at most 10 MB, and this file is larger in every format. Split the file.');
  }
}

/**
 * Creates the error reader of a connector. A 403 from Drive does not always mean missing permissions.
 * https://developers.google.com/workspace/drive/api/guides/handle-errors
 */
export function createDriveErrorReader(advice: DriveErrorAdvice = USER_ADVICE) {
  const forbidden = forbiddenReasons(advice);
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
      return new SourceError('rate', 'Google Drive limits the request rate. The sync continues later.', { retryAt });
    }
    if (reasons.includes('exportSizeLimitExceeded')) return new ExportTooLarge();
    if (status === 401) {
      return new SourceError('auth', `Google no longer accepts the authorization. ${advice.authorization}`);
    }
    const known = reasons.map((reason) => forbidden.get(reason)).find((message) => message !== undefined);
    return status === 403 && known !== undefined ? new SourceError('forbidden', known) : undefined;
  };
}
