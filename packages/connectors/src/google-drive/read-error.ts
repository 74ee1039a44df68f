import { z } from 'zod';
import { createGrowingWait } from '../http/growing-wait.ts';
import { retryDate } from '../http/retry-after.ts';
import { SourceError } from '../source-error.ts';

const Body = z.object({
  error: z.object({
    message: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

/** Too many requests at the moment; Google asks for waits that grow from a second on. */
const TOO_OFTEN: ReadonlySet<string> = new Set([
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'RATE_LIMIT_EXCEEDED',
  'sharingRateLimitExceeded',
  'quotaExceeded',
]);
const WAITS_MS = [1_000, 5_000, 15_000, 60_000] as const;

/** Quotas of a day, of the application or of a file. */
const USED_UP: ReadonlySet<string> = new Set(['dailyLimitExceeded', 'downloadQuotaExceeded']);
const USED_UP_WAIT_MS = 3_600_000;

const FORBIDDEN: Readonly<Record<string, string>> = {
  cannotDownloadFile: 'The owner of this file does not let others download it.',
  cannotDownloadAbusiveFile: 'Google Drive takes this file for malware or spam and does not give it out.',
  domainPolicy: 'The administrators of this Google Workspace do not let applications read Drive.',
  accessNotConfigured: "The Drive API is not enabled in the Google Cloud project of the operator's application.",
  insufficientPermissions: 'The authorisation does not include reading Drive. Authorise the connector again.',
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: 'The authorisation does not include reading Drive. Authorise the connector again.',
};

/** An export that weighs more than Drive makes. */
export class ExportTooLarge extends SourceError {
  constructor() {
    super('too_large', 'Google Drive exports at most 10 MB, and this file is larger in every format.');
  }
}

/**
 * Reads what Drive says; one reader a connector. A 403 is not always a question of permissions.
 * https://developers.google.com/workspace/drive/api/guides/handle-errors
 */
export function createDriveErrorReader() {
  const wait = createGrowingWait(WAITS_MS);
  return (answer: { status: number; headers: Headers; body: unknown }): SourceError | undefined => {
    const { status, headers } = answer;
    if (status < 400) {
      wait.reset();
      return undefined;
    }
    const error = Body.safeParse(answer.body).data?.error;
    const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].flatMap(({ reason }) => reason ?? []);
    const usedUp = reasons.some((reason) => USED_UP.has(reason));
    if (status === 429 || (status === 403 && (usedUp || reasons.some((reason) => TOO_OFTEN.has(reason))))) {
      const unsaid = usedUp ? new Date(Date.now() + USED_UP_WAIT_MS) : wait.next();
      const retryAt = retryDate(headers.get('retry-after')) ?? unsaid;
      return new SourceError('rate', 'Google Drive asks for fewer requests.', { retryAt });
    }
    if (reasons.includes('exportSizeLimitExceeded')) return new ExportTooLarge();
    if (status === 401) {
      return new SourceError(
        'auth',
        'Google does not accept the authorisation any more. Authorise the connector again.',
      );
    }
    const known = reasons.map((reason) => FORBIDDEN[reason]).find((message) => message !== undefined);
    return status === 403 && known !== undefined ? new SourceError('forbidden', known) : undefined;
  };
}
