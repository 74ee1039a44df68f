import { accessReasons, createGoogleErrorReader } from '#google/read-error';
import { SourceError } from '#source-error';

/** What to do about errors, which depends on who authorizes the requests. */
export interface DriveErrorAdvice {
  readonly authorization: string;
  readonly disabledApi: string;
}

const USER_ADVICE: DriveErrorAdvice = {
  authorization: 'Authorize the connector again.',
  disabledApi: "The Drive API is disabled in the Google Cloud project of the operator's application. Enable it there.",
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

/** Creates the error reader of a connector. */
export const createDriveErrorReader = ({ authorization, disabledApi }: DriveErrorAdvice = USER_ADVICE) =>
  createGoogleErrorReader({
    name: 'Google Drive',
    authorization,
    forbidden: new Map([
      ...FORBIDDEN,
      ...accessReasons(disabledApi, `The authorization does not include reading Drive. ${authorization}`),
    ]),
    recognize: ({ reasons }) => (reasons.includes('exportSizeLimitExceeded') ? new ExportTooLarge() : undefined),
  });
