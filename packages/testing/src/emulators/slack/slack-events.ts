import { createHmac, randomUUID } from 'node:crypto';
import type { SlackModel } from '#emulators/slack/slack-model';

/**
 * What Slack sends to an app: https://docs.slack.dev/apis/events-api,
 * https://docs.slack.dev/authentication/verifying-requests-from-slack and
 * https://docs.slack.dev/interactivity/handling-user-interaction
 */

type Fields = Readonly<Record<string, unknown>>;

/** A request as Slack sends it. */
export interface SlackRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Signs a body as Slack does. `at` is the time in seconds. */
export function signSlack(secret: string, body: string, at = Math.floor(Date.now() / 1000)): Record<string, string> {
  const digest = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(at), 'x-slack-signature': `v0=${digest}` };
}

/** Wraps an event. Each delivery of the same event has the same `event_id`. */
export function eventBody(model: SlackModel, event: Fields, more: Fields = {}): Fields {
  return {
    token: 'verification-token',
    team_id: model.teamId,
    api_app_id: 'A0APP',
    event,
    type: 'event_callback',
    event_id: `Ev${randomUUID().replaceAll('-', '').slice(0, 10).toUpperCase()}`,
    event_time: Math.floor(Date.now() / 1000),
    authorizations: [{ enterprise_id: null, team_id: model.teamId, user_id: 'U0APP', is_bot: true }],
    is_ext_shared_channel: false,
    ...more,
  };
}

/** Somebody posts a message that Slack reports to the app: a mention, or a direct message. */
export function askEvent(
  model: SlackModel,
  { channel, user, text, threadTs }: { channel: string; user: string; text: string; threadTs?: string },
): Fields {
  const isDirect = model.channels.get(channel)?.directWith !== undefined;
  const full = isDirect ? text : `<@U0APP> ${text}`;
  const message = model.post(channel, full, { user, threadTs });
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const common = { user, text: full, ts: message.ts, channel, event_ts: message.ts, team: model.teamId, ...thread };
  const isShared = model.channels.get(channel)?.isExtShared === true;
  return eventBody(
    model,
    isDirect ? { type: 'message', channel_type: 'im', ...common } : { type: 'app_mention', ...common },
    { is_ext_shared_channel: isShared },
  );
}

/** Somebody clicks a button of a message. */
export function clickBody(
  model: SlackModel,
  { channel, ts, user, action }: { channel: string; ts: string; user: string; action: Fields },
  triggers: Set<string>,
): Fields {
  const trigger = `${Date.now()}.${randomUUID()}`;
  triggers.add(trigger);
  const threadTs = model.channels.get(channel)?.messages.get(ts)?.threadTs;
  return {
    type: 'block_actions',
    user: { id: user, username: user.toLowerCase(), team_id: model.teamId },
    api_app_id: 'A0APP',
    token: 'verification-token',
    container: {
      type: 'message',
      message_ts: ts,
      channel_id: channel,
      is_ephemeral: false,
      ...(threadTs === undefined ? {} : { thread_ts: threadTs }),
    },
    trigger_id: trigger,
    team: { id: model.teamId, domain: 'lectern' },
    actions: [{ block_id: 'b', action_ts: '1.1', ...action }],
  };
}

/** Somebody sends a dialog. */
export function submitBody(model: SlackModel, user: string, view: Fields, values: Fields): Fields {
  return {
    type: 'view_submission',
    team: { id: model.teamId, domain: 'lectern' },
    user: { id: user, team_id: model.teamId },
    api_app_id: 'A0APP',
    trigger_id: randomUUID(),
    view: { id: `V${randomUUID()}`, ...view, state: { values } },
  };
}

/** The body of a request about an interaction. */
export const interactionForm = (body: Fields): string =>
  new URLSearchParams({ payload: JSON.stringify(body) }).toString();
