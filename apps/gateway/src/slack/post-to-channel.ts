import { AppError, invalidRequest, notFound } from '@lectern/service-kit';
import type { WebClient } from '@slack/web-api';
import type { Context } from '#context';
import type { SlackApp } from '#gen/prisma/client';
import { failApp, findApp, openSecrets } from '#slack/app-store';
import { messagesOf } from '#slack/blocks';
import { postMessage } from '#slack/post';
import { createSlackClient, slackProblem } from '#slack/slack-client';

/** A text to post. */
export interface ChannelPost {
  readonly teamId: string;
  readonly appId: string;
  readonly channel: string;
  readonly markdown: string;
}

const failed = (reason: string) => new AppError('upstream_error', `Slack did not accept the message. ${reason}`);

/** Converts a failure of Slack to an error for the caller. */
async function postFailure({ db }: Context, app: SlackApp, error: unknown): Promise<unknown> {
  const problem = slackProblem(error);
  switch (problem?.kind) {
    case 'dead':
      await failApp(db, app, problem.reason);
      return failed(problem.reason);
    case 'rate': {
      const retryAfter = Math.ceil(problem.waitMs / 1_000);
      const message = `Slack limits the messages of the app. Retry after ${retryAfter} s.`;
      return new AppError('rate_limited', message, { details: { retryAfter } });
    }
    case 'temporary':
      return new AppError('unavailable', 'Slack did not respond. Retry.', { cause: error });
    case 'rejected':
      return failed(
        problem.code === 'not_in_channel' || problem.code === 'channel_not_found'
          ? 'The app is not in the channel. Invite it there with /invite.'
          : `Slack reports ${problem.code}.`,
      );
    default:
      return error;
  }
}

/** People of other organizations must not read what a team posts to itself. */
async function requireInternal(ctx: Context, app: SlackApp, client: WebClient, channel: string): Promise<void> {
  if (await ctx.slack.audiences.isInternal(app, client, channel)) return;
  throw new AppError(
    'forbidden',
    'The channel has guests or people of other organizations, or the app cannot read its members. Choose another channel.',
  );
}

/**
 * Posts a text to a channel that the admin allowed for the app. The caller decides whether everybody in
 * the channel may read the text. Returns the place of the first message; a long text continues in its
 * thread. Throws `not_found`, `invalid_request`, `forbidden`, `rate_limited`, `unavailable` and
 * `upstream_error`.
 */
export async function postToChannel(
  ctx: Context,
  post: ChannelPost,
): Promise<{ readonly channel: string; readonly ts: string }> {
  const { teamId, appId, channel, markdown } = post;
  const app = await findApp(ctx.db, teamId, appId);
  if (app === undefined) throw notFound('Slack app', appId);
  if (!app.isEnabled || app.status !== 'active') {
    throw new AppError(
      'conflict',
      `The Slack app ${app.name} is not active. ${app.statusReason ?? 'Enable it first.'}`,
    );
  }
  if (!app.channels.includes(channel)) {
    throw invalidRequest([{ path: 'channel', message: 'must be one of the allowed channels of the app' }]);
  }
  const messages = messagesOf(markdown);
  const client = createSlackClient(ctx, openSecrets(ctx.secrets, app).botToken);
  try {
    await requireInternal(ctx, app, client, channel);
    const [first, ...rest] = messages;
    if (first === undefined) throw invalidRequest([{ path: 'text', message: 'must contain text' }]);
    const ts = await postMessage(client, { channel }, first);
    for (const message of rest) await postMessage(client, { channel, thread: ts }, message);
    return { channel, ts };
  } catch (error) {
    throw await postFailure(ctx, app, error);
  }
}
