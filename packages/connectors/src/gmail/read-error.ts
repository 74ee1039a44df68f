import { accessReasons, createGoogleErrorReader } from '#google/read-error';
import { SourceError } from '#source-error';

/** What to do about errors, which depends on who authorizes the requests. */
interface GmailErrorAdvice {
  readonly authorization: string;
  readonly disabledApi: string;
}

const USER_ADVICE: GmailErrorAdvice = {
  authorization: 'Authorize the connector again.',
  disabledApi: "The Gmail API is disabled in the Google Cloud project of the operator's application. Enable it there.",
};

export const DOMAIN_ADVICE: GmailErrorAdvice = {
  authorization: 'Check the domain-wide delegation of the service account.',
  disabledApi:
    'The Gmail API or the Admin SDK API is disabled in the Google Cloud project of the service account. Enable both there.',
};

/**
 * Creates the error reader of a connector. Gmail reports a mailbox that it does not serve as a
 * failed precondition: "Mail service not enabled".
 * https://developers.google.com/workspace/gmail/api/guides/handle-errors
 */
export const createGmailErrorReader = ({ authorization, disabledApi }: GmailErrorAdvice = USER_ADVICE) =>
  createGoogleErrorReader({
    name: 'Gmail',
    authorization,
    forbidden: new Map([
      ['domainPolicy', 'The administrators of this Google Workspace do not allow applications to read Gmail.'],
      ['forbidden', 'Gmail does not allow requests to this mailbox.'],
      ...accessReasons(disabledApi, `The authorization does not include reading Gmail. ${authorization}`),
    ]),
    recognize: ({ status, reasons }) =>
      status === 400 && reasons.includes('failedPrecondition')
        ? new SourceError('forbidden', 'Gmail is off for this user, the user has no license, or the user is suspended.')
        : undefined,
  });
