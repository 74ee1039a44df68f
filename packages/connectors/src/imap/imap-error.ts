import { EgressError } from '@lectern/egress';
import { networkError } from '#http/network-error';
import { SourceError, type SourceErrorKind } from '#source-error';

type Known = readonly [SourceErrorKind, string];

const PLATFORM = 'The IMAP server';
const LONGEST_WAIT_MS = 24 * 60 * 60_000;

const REJECTED =
  'The IMAP server rejected the user or the password. Many providers require an app password instead of the password of the account, or OAuth (clientId and tokenUrl), and IMAP can be turned off for a mailbox. Update the credentials of the connector.';

const NO_ACCESS =
  'The user may not open this mailbox. Give it access at the server, or check config.mailboxes and config.delegation.';

// https://www.rfc-editor.org/rfc/rfc5530 and https://www.rfc-editor.org/rfc/rfc9051#section-7.1
const BY_CODE: Readonly<Record<string, Known>> = {
  AUTHENTICATIONFAILED: ['auth', REJECTED],
  AUTHORIZATIONFAILED: ['auth', NO_ACCESS],
  EXPIRED: ['auth', 'The password has expired. Update the credentials of the connector.'],
  PRIVACYREQUIRED: ['invalid', 'The server requires encryption. Set config.security to tls or starttls.'],
  CONTACTADMIN: ['auth', 'The server refuses this mailbox. Ask the administrator of the server.'],
  NOPERM: ['forbidden', 'The user has no permission to read this folder.'],
  NONEXISTENT: ['gone', 'The folder no longer exists.'],
  TRYCREATE: ['gone', 'The folder no longer exists.'],
  UNAVAILABLE: ['transient', 'The IMAP server is temporarily unavailable.'],
  INUSE: ['transient', 'The mailbox is in use by another program.'],
  SERVERBUG: ['transient', 'The IMAP server reported an internal error.'],
  CORRUPTION: ['transient', 'The IMAP server reported damaged data in the mailbox.'],
};

const REJECTED_TOKEN =
  'The IMAP server rejected the access token for this mailbox. Check user or config.mailboxes, the scope of the token, and that the application or the account may open the mailbox with IMAP.';

/** The server does not accept an access token, or not for this mailbox. A new one may help. */
export class RejectedToken extends SourceError {
  constructor(cause: unknown) {
    super('auth', REJECTED_TOKEN, { cause });
  }
}

/** Exchange Online accepts the token, but not for this mailbox. It rejects every command. */
const NOT_CONNECTED = /authenticated but not connected/i;

const RATE_CODES: ReadonlySet<string> = new Set(['LIMIT', 'THROTTLED', 'OVERQUOTA']);
/** Codes of a rejected login that can mean the token; servers often send none. */
const TOKEN_CODES: ReadonlySet<string> = new Set(['', 'AUTHENTICATIONFAILED', 'EXPIRED']);
const TOO_MANY = /too many|limit exceeded|throttl|rate limit/i;

// The client stops at these, so one such response ends its connection.
const UNREADABLE =
  /^(LiteralTooLarge|LineTooLarge|ResponseTooLarge|TooManyTokens|TooManyResponses|MAX_IMAP_NESTING_REACHED|ParserError)/;

const NO_TLS = /^(ERR_SSL_|EPROTO)/;
const TIMEOUT = /^(CONNECT_TIMEOUT|GREETING_TIMEOUT|UPGRADE_TIMEOUT|ETIMEOUT|LockTimeout)$/;
const CLOSED = /^(NoConnection|EConnectionClosed|StateLogout|ClosedAfterConnect(Text|TLS)|NoMailboxSelected)$/;

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns the response code of a NO or BAD, for example `LIMIT`. */
function responseCode(error: unknown): string {
  const known = textOf(fieldOf(error, 'serverResponseCode'));
  if (known !== '') return known.toUpperCase();
  const attributes = fieldOf(fieldOf(error, 'response'), 'attributes');
  const section = Array.isArray(attributes) ? fieldOf(attributes[0], 'section') : undefined;
  return Array.isArray(section) ? textOf(fieldOf(section[0], 'value')).toUpperCase() : '';
}

/** Returns the wait in milliseconds that a throttled server asks for; undefined if it names none. */
export function throttleMs(error: unknown): number | undefined {
  const wait = fieldOf(error, 'throttleReset');
  return fieldOf(error, 'code') === 'ETHROTTLE' && typeof wait === 'number'
    ? Math.min(wait, LONGEST_WAIT_MS)
    : undefined;
}

/** Returns an error for a server that limits commands or connections. */
const rateError = (retryAt: Date, cause?: unknown): SourceError =>
  new SourceError('rate', 'The IMAP server limits commands or connections. The sync continues later.', {
    retryAt,
    cause,
  });

/** Translates a response code of a failed command; undefined for unknown codes. */
export function errorOfCode(code: string, nextTry: () => Date): SourceError | undefined {
  if (RATE_CODES.has(code)) return rateError(nextTry());
  const known = BY_CODE[code];
  return known === undefined ? undefined : new SourceError(known[0], known[1]);
}

/** Returns true for a NO whose response code names no reason that is known. */
export const isUnnamedRefusal = (error: unknown): boolean => {
  const code = responseCode(error);
  return textOf(fieldOf(error, 'responseStatus')) === 'NO' && !RATE_CODES.has(code) && BY_CODE[code] === undefined;
};

/**
 * Translates an error of the client. `nextTry` returns the time to retry if the server limits the
 * rate without naming one. Texts of the server are only in the cause: they can name messages.
 */
export function imapError(
  error: unknown,
  { nextTry, usesToken }: { readonly nextTry: () => Date; readonly usesToken: boolean },
): SourceError {
  if (error instanceof SourceError) return error;
  if (error instanceof EgressError) return networkError(PLATFORM, error);
  const code = textOf(fieldOf(error, 'code'));
  const status = textOf(fieldOf(error, 'responseStatus'));
  const text = `${textOf(fieldOf(error, 'responseText'))} ${textOf(fieldOf(error, 'response'))} ${textOf(fieldOf(error, 'reason'))}`;
  const waitMs = throttleMs(error);
  if (waitMs !== undefined) return rateError(new Date(Date.now() + waitMs), error);
  const isRejected = fieldOf(error, 'authenticationFailed') === true;
  const responded = responseCode(error);
  if (usesToken && isRejected && TOKEN_CODES.has(responded) && !TOO_MANY.test(text)) return new RejectedToken(error);
  if (NOT_CONNECTED.test(text)) return new SourceError('auth', NO_ACCESS, { cause: error });
  const named = errorOfCode(responded, nextTry);
  if (named !== undefined)
    return new SourceError(named.kind, named.message, {
      cause: error,
      ...(named.retryAt && { retryAt: named.retryAt }),
    });
  if (TOO_MANY.test(text)) return rateError(nextTry(), error);
  const make = (kind: SourceErrorKind, message: string) => new SourceError(kind, message, { cause: error });
  if (isRejected) return make('auth', REJECTED);
  if (UNREADABLE.test(code)) return make('too_large', 'The IMAP server sent a response that is too large or invalid.');
  if (NO_TLS.test(code)) {
    return make(
      'invalid',
      'The server does not use TLS on this port. Set config.security to starttls with port 143, or check config.port.',
    );
  }
  if (fieldOf(error, 'tlsFailed') === true && /STARTTLS/.test(error instanceof Error ? error.message : '')) {
    return make('invalid', 'The server does not support STARTTLS. Set config.security to tls, usually with port 993.');
  }
  if (TIMEOUT.test(code)) return make('transient', 'The IMAP server did not respond in time.');
  if (CLOSED.test(code)) return make('transient', 'The IMAP server closed the connection.');
  if (status === 'BAD') return make('invalid', 'The IMAP server does not understand a command that Lectern needs.');
  if (status === 'NO') return make('transient', 'The IMAP server could not run a command.');
  if (/^Unsupported authentication/.test(error instanceof Error ? error.message : '')) {
    return make(
      'invalid',
      usesToken
        ? 'The server offers no login with an access token (XOAUTH2 or OAUTHBEARER). Use a password.'
        : 'The server offers no login with a password. Some providers allow only OAuth: enter clientId and tokenUrl instead.',
    );
  }
  return networkError(PLATFORM, error);
}
