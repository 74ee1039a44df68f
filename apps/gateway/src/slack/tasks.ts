import { createHash } from 'node:crypto';
import { chat } from '@lectern/api-spec';
import { z } from 'zod';
import type { SlackApp } from '#gen/prisma/client';

const id = z.string().regex(/^[A-Z0-9]{1,30}$/);
const ts = z.string().regex(/^\d{1,12}\.\d{1,9}$/);

/** A question in Slack. */
const questionTask = z.object({
  kind: z.literal('question'),
  user: id,
  channel: id,
  /** The message that asks. */
  ts,
  /** The first message of its thread. */
  thread: ts,
  text: z.string(),
  /** True for a direct message. */
  isDirect: z.boolean(),
  /** True if people of other organizations are in the channel. */
  isShared: z.boolean(),
  /** True if the asker requests the answer as a direct message. */
  isPrivate: z.boolean(),
});

const feedbackTask = z.object({
  kind: z.literal('feedback'),
  user: id,
  channel: id,
  thread: ts.optional(),
  conversationId: z.string(),
  messageId: z.string(),
  language: z.string(),
  feedback: chat.feedbackBody,
});

/** What a worker has to do. */
export const slackTask = z.discriminatedUnion('kind', [questionTask, feedbackTask]);
export type QuestionTask = z.output<typeof questionTask>;
export type FeedbackTask = z.output<typeof feedbackTask>;
export type SlackTask = z.output<typeof slackTask>;

/** A task and the key that is the same each time that Slack sends it. */
export interface KeyedTask {
  readonly key: string;
  readonly task: SlackTask;
}

/** Slack limits messages to 40,000 characters, and questions have at most this many. */
const MAX_QUESTION = 32_000;

const message = z.object({
  type: z.enum(['app_mention', 'message']),
  user: id,
  text: z.string(),
  ts,
  thread_ts: ts.optional(),
  channel: id,
  channel_type: z.string().optional(),
  subtype: z.string().optional(),
  bot_id: z.string().optional(),
  app_id: z.string().optional(),
});

/** Messages of people. Everything else is an edit, a deletion, a notice or a program. */
const SUBTYPES: readonly (string | undefined)[] = [undefined, 'file_share', 'thread_broadcast'];

const eventBody = z.object({
  type: z.literal('event_callback'),
  team_id: z.string(),
  event_id: z.string().max(100),
  is_ext_shared_channel: z.boolean().optional(),
  event: z.looseObject({ type: z.string() }),
});

/** What an event means for an app. */
export type Meaning = KeyedTask | { readonly failure: string } | undefined;

const tokensRevoked = z.object({ tokens: z.object({ bot: z.array(z.string()).optional() }).optional() });

/** Removes the mention of the app. */
function questionOf(text: string, { botUserId }: Pick<SlackApp, 'botUserId'>): string {
  return text.replaceAll(new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>`, 'g'), ' ').trim();
}

/**
 * Reads an event. Messages of programs, of the app itself, without text and outside its workspace mean
 * nothing: an app that answered programs would talk to itself or to another one for ever.
 */
export function readEvent(body: unknown, app: SlackApp): Meaning {
  const parsed = eventBody.safeParse(body);
  if (!parsed.success || parsed.data.team_id !== app.workspaceId) return undefined;
  const { event, is_ext_shared_channel: isShared = false } = parsed.data;
  if (event.type === 'app_uninstalled') return { failure: 'app_uninstalled' };
  if (event.type === 'tokens_revoked') {
    const revoked = tokensRevoked.safeParse(event).data?.tokens?.bot ?? [];
    return revoked.includes(app.botUserId) ? { failure: 'token_revoked' } : undefined;
  }
  const { data } = message.safeParse(event);
  if (data === undefined || !SUBTYPES.includes(data.subtype)) return undefined;
  if (data.bot_id !== undefined || data.user === app.botUserId || data.user === 'USLACKBOT') return undefined;
  const isDirect = data.channel_type === 'im';
  // A subscription to more than direct messages must not make the app answer what was not a question to it.
  if (data.type === 'message' && !isDirect) return undefined;
  const text = questionOf(data.text, app).slice(0, MAX_QUESTION);
  const { user, channel, ts: at, thread_ts: thread = at } = data;
  // Not the id of the event: a direct message that mentions the app can be two events.
  const key = `message ${channel} ${at}`;
  return { key, task: { kind: 'question', user, channel, ts: at, thread, text, isDirect, isShared, isPrivate: false } };
}

export const ACTIONS = { up: 'lectern_up', down: 'lectern_down', private: 'lectern_private', open: 'lectern_open' };
export const FEEDBACK_VIEW = 'lectern_feedback';

/** What the buttons of a reply know about it. */
const replyValue = z.object({
  c: z.string().max(100),
  m: z.string().max(100),
  l: z.string().max(10),
});
export type ReplyValue = z.output<typeof replyValue>;

const viewMetadata = replyValue.extend({ ch: id, th: ts.optional() });
export type ViewMetadata = z.output<typeof viewMetadata>;

const person = z.object({ id, team_id: z.string().optional() });

const blockActions = z.object({
  type: z.literal('block_actions'),
  user: person,
  trigger_id: z.string(),
  container: z.object({ channel_id: id, message_ts: ts, thread_ts: ts.optional() }),
  actions: z
    .array(z.object({ action_id: z.string(), value: z.string().max(2_000).optional() }))
    .min(1)
    .max(1),
});

const choice = z.object({ selected_option: z.object({ value: z.string() }).nullish() });
const viewSubmission = z.object({
  type: z.literal('view_submission'),
  user: person,
  view: z.object({
    callback_id: z.literal(FEEDBACK_VIEW),
    private_metadata: z.string().max(3_000),
    state: z.object({
      values: z.object({
        reason: z.object({ reason: choice }),
        comment: z.object({ comment: z.object({ value: z.string().nullish() }) }),
      }),
    }),
  }),
});

/** A dialog to open at once: Slack accepts its trigger for 3 seconds. */
export interface Dialog {
  readonly triggerId: string;
  readonly metadata: ViewMetadata;
}

/** What somebody did with a message of the app. */
export interface Interaction {
  readonly tasks: readonly KeyedTask[];
  readonly dialog?: Dialog;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

function readAction(body: z.output<typeof blockActions>): Interaction {
  const { user, trigger_id: triggerId, container } = body;
  const { channel_id: channel, message_ts: at, thread_ts: thread = at } = container;
  const [action] = body.actions;
  if (action === undefined) return { tasks: [] };
  if (action.action_id === ACTIONS.private && action.value !== undefined) {
    const text = action.value;
    const key = `private ${user.id} ${channel} ${at}`;
    const flags = { isDirect: false, isShared: false, isPrivate: true };
    return { tasks: [{ key, task: { kind: 'question', user: user.id, channel, ts: at, thread, text, ...flags } }] };
  }
  const rating = action.action_id === ACTIONS.up ? 'up' : action.action_id === ACTIONS.down ? 'down' : undefined;
  const value = replyValue.safeParse(json(action.value ?? '')).data;
  if (rating === undefined || value === undefined) return { tasks: [] };
  const { c: conversationId, m: messageId, l: language } = value;
  const task = { kind: 'feedback' as const, user: user.id, channel, thread, conversationId, messageId, language };
  const key = `feedback ${digest(triggerId)}`;
  const dialog = rating === 'down' ? { dialog: { triggerId, metadata: { ...value, ch: channel, th: thread } } } : {};
  return { tasks: [{ key, task: { ...task, feedback: { rating } } }], ...dialog };
}

function readSubmission({ user, view }: z.output<typeof viewSubmission>, raw: string): Interaction {
  const metadata = viewMetadata.safeParse(json(view.private_metadata)).data;
  const { reason, comment } = view.state.values;
  const feedback = chat.feedbackBody.safeParse({
    rating: 'down',
    ...(reason.reason.selected_option == null ? {} : { reason: reason.reason.selected_option.value }),
    ...(comment.comment.value ? { comment: comment.comment.value } : {}),
  });
  if (metadata === undefined || !feedback.success) return { tasks: [] };
  const { c: conversationId, m: messageId, l: language, ch: channel, th: thread } = metadata;
  const task = { kind: 'feedback' as const, user: user.id, channel, conversationId, messageId, language };
  const place = thread === undefined ? {} : { thread };
  return { tasks: [{ key: `feedback ${digest(raw)}`, task: { ...task, ...place, feedback: feedback.data } }] };
}

/** Reads what somebody did with a message of the app. `raw` is what Slack signed. */
export function readInteraction(body: unknown, raw: string): Interaction {
  const action = blockActions.safeParse(body);
  if (action.success) return readAction(action.data);
  const submission = viewSubmission.safeParse(body);
  return submission.success ? readSubmission(submission.data, raw) : { tasks: [] };
}

const claim = z.looseObject({
  team_id: z.string().optional(),
  team: z.object({ id: z.string() }).nullish(),
  user: z.object({ team_id: z.string().optional() }).nullish(),
});

/** The workspace that a body names. It is not verified yet. */
export function claimedWorkspace(body: unknown): string | undefined {
  const { data } = claim.safeParse(body);
  return data?.team_id ?? data?.team?.id ?? data?.user?.team_id;
}
