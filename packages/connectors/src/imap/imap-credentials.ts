import { z } from 'zod';
import type { ImapCredentials } from '#imap/imap-settings';
import { serverUrl } from '#settings/server-url';

// Control characters would end a field of the login, and `*` separates two names in one.
export const loginName = (what: string) =>
  z
    .string()
    .trim()
    .min(1, `must be ${what}`)
    .max(320)
    .regex(/^[^\s\p{Cc}*]+$/u, 'must not contain spaces or *');

const secret = z.string().trim().min(1, 'must not be empty').max(4_096);

/** Secrets are sent to it, so only on this machine it needs no TLS. */
const SECURE = /^([Hh][Tt][Tt][Pp][Ss]:\/\/|[Hh][Tt][Tt][Pp]:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/|$))/;

const tokenUrl = serverUrl(
  'must be the URL of a token endpoint, for example https://oauth2.googleapis.com/token',
).regex(SECURE, 'must begin with https://');

interface ImapInput {
  readonly user: string;
  readonly password?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly refreshToken?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly scope?: string | undefined;
}

/** Returns the first field that fits neither a password nor OAuth. */
function faultOf(input: ImapInput): readonly [field: keyof ImapInput, message: string] | undefined {
  const { password, clientId, clientSecret, refreshToken, tokenUrl: url, scope } = input;
  const usesOAuth = [clientId, clientSecret, refreshToken, url, scope].some((field) => field !== undefined);
  if (password !== undefined)
    return usesOAuth ? ['password', 'cannot be combined with the fields of OAuth'] : undefined;
  if (!usesOAuth) return ['password', 'is required; or clientId and tokenUrl, with clientSecret or refreshToken'];
  if (clientId === undefined) return ['clientId', 'is required for OAuth'];
  if (url === undefined) return ['tokenUrl', 'is required for OAuth'];
  if (clientSecret === undefined && refreshToken === undefined)
    return ['clientSecret', 'is required without refreshToken'];
  return undefined;
}

/** `user` with a password, or with an OAuth client. */
export const imapCredentials = z
  .strictObject({
    user: loginName('the name of the user'),
    password: z
      .string('is missing')
      .min(1, 'is missing')
      .max(4_096)
      .regex(/^[^\0\r\n]+$/, 'must be one line')
      .optional(),
    clientId: secret.optional(),
    clientSecret: secret.optional(),
    refreshToken: secret.optional(),
    tokenUrl: tokenUrl.optional(),
    scope: secret.optional(),
  })
  .superRefine((input, context) => {
    const fault = faultOf(input);
    if (fault !== undefined) context.addIssue({ code: 'custom', path: [fault[0]], message: fault[1] });
  });

/** The scope of an application at Microsoft. Entra ID requires it. */
const MICROSOFT_SCOPE = 'https://outlook.office365.com/.default';

const isMicrosoft = (url: string): boolean => URL.parse(url)?.hostname === 'login.microsoftonline.com';

export function toImapCredentials(input: ImapInput): ImapCredentials {
  const { user, password = '', clientId, clientSecret, refreshToken, tokenUrl: url, scope } = input;
  if (clientId === undefined || url === undefined) return { user, password };
  const usual = refreshToken === undefined && isMicrosoft(url) ? MICROSOFT_SCOPE : undefined;
  return { user, client: { tokenUrl: url, clientId, clientSecret, refreshToken, scope: scope ?? usual } };
}
