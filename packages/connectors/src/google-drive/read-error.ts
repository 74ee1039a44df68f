import { z } from 'zod';
import { parseRetryAfter } from '../http/retry-after.ts';
import { SourceError } from '../source-error.ts';

const Body = z.object({
  error: z.object({
    message: z.string().optional(),
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

/** Milliseconds until the next request where Drive does not say: per-minute quotas, and those of a day. */
const RATE_WAIT_MS: Readonly<Record<string, number>> = {
  userRateLimitExceeded: 60_000,
  rateLimitExceeded: 60_000,
  RATE_LIMIT_EXCEEDED: 60_000,
  sharingRateLimitExceeded: 60_000,
  quotaExceeded: 60_000,
  downloadQuotaExceeded: 3_600_000,
  dailyLimitExceeded: 3_600_000,
};

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

/** Drive says with 403 also what is no question of permissions. https://developers.google.com/workspace/drive/api/guides/handle-errors */
export function readDriveError(answer: { status: number; headers: Headers; body: unknown }): SourceError | undefined {
  const { status, headers } = answer;
  if (status < 400) return undefined;
  const error = Body.safeParse(answer.body).data?.error;
  const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].flatMap(({ reason }) => reason ?? []);
  const waitMs = reasons.map((reason) => RATE_WAIT_MS[reason]).find((known) => known !== undefined);
  if (status === 429 || (status === 403 && waitMs !== undefined)) {
    const retryAt = parseRetryAfter(headers.get('retry-after')) ?? new Date(Date.now() + (waitMs ?? 60_000));
    return new SourceError('rate', 'Google Drive asks for fewer requests.', { retryAt });
  }
  if (reasons.includes('exportSizeLimitExceeded')) return new ExportTooLarge();
  if (status === 401) {
    return new SourceError('auth', 'Google does not accept the authorisation any more. Authorise the connector again.');
  }
  const known = reasons.map((reason) => FORBIDDEN[reason]).find((message) => message !== undefined);
  if (status === 403 && known !== undefined) return new SourceError('forbidden', known);
  return undefined;
}
