import { createTransport } from 'nodemailer';
import type { Config } from '#config';
import { withDeadline } from '#deadline';

/** A message to one person. */
interface Mail {
  /** The same for each attempt, so that a mailbox can recognize a message that it has already. */
  readonly id: string;
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends email through the server of the operator. */
export interface Mailer {
  /** Throws `MailError`. */
  send(mail: Mail): Promise<void>;
}

/** Why a message was not accepted. Its message is for the people of the team. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** False if another attempt would fail too. */
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isRetryable = isRetryable;
  }
}

/** A server that sends something now and then would never be idle. */
const SEND_MS = 60_000;
const CONNECT_MS = 10_000;
const IDLE_MS = 20_000;
const PERMANENT = 500;

/** Errors of the account at the server, which only the operator can correct. */
const OPERATOR: readonly string[] = ['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EREQUIRETLS', 'ECONFIG'];

/** Converts an error of the library. The response of the server can contain addresses and is only logged. */
function mailError(error: unknown): MailError {
  const { code, responseCode } = Object(error);
  if (OPERATOR.includes(code)) {
    return new MailError('The mail server rejects Lectern. The operator must check SMTP_URL.', true, { cause: error });
  }
  if (typeof responseCode === 'number') {
    const message = `The mail server did not accept the message (code ${responseCode}).`;
    return new MailError(message, responseCode < PERMANENT, { cause: error });
  }
  return new MailError('The mail server did not respond.', true, { cause: error });
}

/** Creates the mailer. Undefined if the operator has set no mail server. */
export function createMailer({ SMTP_URL, SMTP_FROM }: Config): Mailer | undefined {
  if (SMTP_URL === undefined || SMTP_FROM === undefined) return undefined;
  const from = SMTP_FROM;
  const host = /@([^<>@\s]+)>?$/.exec(from)?.[1] ?? 'lectern';
  const transport = createTransport({
    url: SMTP_URL,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, to, subject, text, html }) {
      try {
        const sent = transport.sendMail({
          from,
          to,
          subject,
          text,
          html,
          messageId: `<${id}@${host}>`,
          // Programs that answer messages must not answer this one.
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        await withDeadline(sent, SEND_MS, () => new Error('The mail server took too long.'));
      } catch (error) {
        throw mailError(error);
      }
    },
  };
}
