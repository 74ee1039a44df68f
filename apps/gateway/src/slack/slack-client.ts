import type { Logger as SlackLogger } from '@slack/web-api';
import {
  LogLevel,
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api';
import type { Context } from '#context';

const TIMEOUT_MS = 10_000;
const SERVER_ERROR = 500;
const TOO_MANY = 429;
const DEFAULT_WAIT_MS = 60_000;
const SECOND_MS = 1_000;

const ignore = () => undefined;

/** The log of the library contains messages of people. */
export const silentLogger: SlackLogger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  setLevel: ignore,
  getLevel: () => LogLevel.ERROR,
  setName: ignore,
};

/** Options without the waits of the library: the rows of events decide when something is tried again. */
export function clientOptions({ config, egress }: Pick<Context, 'config' | 'egress'>): WebClientOptions {
  const { SLACK_API_URL } = config;
  const { fetch } = egress.trusting([new URL(SLACK_API_URL).origin]);
  return {
    slackApiUrl: SLACK_API_URL,
    fetch: (url, init) => fetch(url, init),
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: TIMEOUT_MS,
    allowAbsoluteUrls: false,
    logger: silentLogger,
  };
}

/** Creates a client of Slack's Web API. */
export const createSlackClient = (ctx: Pick<Context, 'config' | 'egress'>, token: string): WebClient =>
  new WebClient(token, clientOptions(ctx));

/** Errors after which a token never works again. https://docs.slack.dev/reference/methods/auth.test#errors */
const DEAD_TOKEN: Readonly<Record<string, string>> = {
  account_inactive: 'The app was removed from the workspace. Install it again and enter the new token.',
  invalid_auth: 'Slack rejects the token. Enter the current one.',
  not_authed: 'Slack rejects the token. Enter the current one.',
  token_expired: 'The token has expired. Enter one without rotation.',
  token_revoked: 'The token was revoked. Install the app again and enter the new token.',
  team_access_not_granted: 'The app has no access to the workspace. Install it again and enter the new token.',
  app_uninstalled: 'The app was uninstalled. Install it again and enter the new token.',
};

const TEMPORARY: readonly string[] = ['internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

/** Why a call of Slack failed. */
export type SlackProblem =
  | { readonly kind: 'rate'; readonly waitMs: number }
  | { readonly kind: 'dead'; readonly reason: string }
  | { readonly kind: 'temporary' }
  | { readonly kind: 'rejected'; readonly code: string };

/** The reason for which an app does not work any more, by Slack's error or event. */
export const deadReason = (code: string): string | undefined => DEAD_TOKEN[code];

/** Returns why a call of Slack failed. Returns undefined for other errors. */
export function slackProblem(error: unknown): SlackProblem | undefined {
  if (error instanceof WebAPIRateLimitedError) return { kind: 'rate', waitMs: error.retryAfter * SECOND_MS };
  if (error instanceof WebAPIRequestError) return { kind: 'temporary' };
  if (error instanceof WebAPIHTTPError) {
    if (error.statusCode === TOO_MANY) return { kind: 'rate', waitMs: DEFAULT_WAIT_MS };
    return error.statusCode >= SERVER_ERROR
      ? { kind: 'temporary' }
      : { kind: 'rejected', code: `HTTP ${error.statusCode}` };
  }
  if (!(error instanceof WebAPIPlatformError)) return undefined;
  const code = error.data.error;
  if (code === 'ratelimited' || code === 'rate_limited') return { kind: 'rate', waitMs: DEFAULT_WAIT_MS };
  const reason = deadReason(code);
  if (reason !== undefined) return { kind: 'dead', reason };
  return TEMPORARY.includes(code) ? { kind: 'temporary' } : { kind: 'rejected', code };
}

/** Returns Slack's error code. */
export const slackCode = (error: unknown): string | undefined =>
  error instanceof WebAPIPlatformError ? error.data.error : undefined;
