import { z } from 'zod';
import { retryDate } from '#http/retry-after';
import { SourceError, type SourceErrorKind } from '#source-error';

/** Slack allows at least one request per minute. https://docs.slack.dev/apis/web-api/rate-limits */
const DEFAULT_WAIT_MS = 60_000;

/** The kinds of Slack's error codes; any other code is `invalid`. */
const KINDS: Readonly<Record<string, SourceErrorKind>> = {
  invalid_auth: 'auth',
  not_authed: 'auth',
  account_inactive: 'auth',
  token_revoked: 'auth',
  token_expired: 'auth',
  org_login_required: 'auth',
  two_factor_setup_required: 'auth',
  missing_scope: 'forbidden',
  not_in_channel: 'forbidden',
  no_permission: 'forbidden',
  access_denied: 'forbidden',
  ekm_access_denied: 'forbidden',
  team_access_not_granted: 'forbidden',
  not_allowed_token_type: 'forbidden',
  channel_not_found: 'gone',
  thread_not_found: 'gone',
  message_not_found: 'gone',
  file_not_found: 'gone',
  file_deleted: 'gone',
  ratelimited: 'rate',
  rate_limited: 'rate',
  internal_error: 'transient',
  fatal_error: 'transient',
  service_unavailable: 'transient',
  request_timeout: 'transient',
  team_added_to_org: 'transient',
};

const ADVICE: Readonly<Record<string, string>> = {
  not_in_channel: 'The app is not in this channel. Invite it with /invite.',
  channel_not_found: 'This channel does not exist, or the app is not in it. Invite it with /invite.',
  invalid_auth: 'Slack rejected the token. Update the credentials of the connector.',
  token_revoked: 'The token was revoked. Install the app again and give the connector the new token.',
  token_expired: 'The token has expired. Give the connector one without rotation.',
  account_inactive: 'The account of the token is deactivated. Give the connector another token.',
};

const Failure = z.object({ ok: z.literal(false), error: z.string(), needed: z.string().optional() });

/** A failure with Slack's error code. */
export class SlackError extends SourceError {
  readonly code: string;

  constructor(kind: SourceErrorKind, code: string, message: string, retryAt?: Date) {
    super(kind, message, retryAt === undefined ? {} : { retryAt });
    this.code = code;
  }
}

/** Slack responds 200 with `ok: false`; only rate limits have a different status. */
export function readSlackError(response: { status: number; headers: Headers; body: unknown }): SourceError | undefined {
  const { data } = Failure.safeParse(response.body);
  const code = data?.error ?? (response.status === 429 ? 'ratelimited' : undefined);
  if (code === undefined) return undefined;
  const kind = response.status === 429 ? 'rate' : (KINDS[code] ?? 'invalid');
  if (kind === 'rate') {
    const retryAt = retryDate(response.headers.get('retry-after')) ?? new Date(Date.now() + DEFAULT_WAIT_MS);
    return new SlackError('rate', code, 'Slack limits the request rate. The sync continues later.', retryAt);
  }
  const scope =
    code === 'missing_scope'
      ? `The app needs ${data?.needed === undefined ? 'another scope' : `the scope ${data.needed}`}. Add it and install the app again.`
      : undefined;
  return new SlackError(kind, code, scope ?? ADVICE[code] ?? `Slack rejected the request: ${code}.`);
}
