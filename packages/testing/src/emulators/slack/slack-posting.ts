import { z } from 'zod';
import type { SlackChannelModel, SlackMessageModel } from '#emulators/slack/slack-model';
import {
  type SlackArguments,
  SlackError,
  type SlackMethod,
  type SlackState,
  scope,
} from '#emulators/slack/slack-state';

/**
 * The methods that show something, from their public documentation:
 * https://docs.slack.dev/reference/methods/chat.postMessage, chat.update, chat.postEphemeral, conversations.open
 * and views.open, and https://docs.slack.dev/reference/block-kit for the limits of blocks.
 */

const MAX_TEXT = 40_000;
const MAX_UPDATE_TEXT = 4_000;

const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max), emoji: z.boolean().optional() });
const markup = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max), verbatim: z.boolean().optional() });

const button = z.strictObject({
  type: z.literal('button'),
  action_id: z.string().min(1).max(255),
  text: plainText(75),
  value: z.string().max(2_000).optional(),
  url: z.url().max(3_000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

const block = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('section'), text: markup(3_000), block_id: z.string().max(255).optional() }),
  z.strictObject({ type: z.literal('context'), elements: z.array(markup(3_000)).min(1).max(10) }),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(button)
      .min(1)
      .max(25)
      .refine((buttons) => new Set(buttons.map(({ action_id }) => action_id)).size === buttons.length),
  }),
]);
const blocks = z.array(block).max(50);

const option = z.strictObject({ text: plainText(75), value: z.string().min(1).max(150) });
const input = z.strictObject({
  type: z.literal('input'),
  block_id: z.string().max(255),
  optional: z.boolean().optional(),
  label: plainText(2_000),
  element: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('static_select'),
      action_id: z.string(),
      options: z.array(option).min(1).max(100),
    }),
    z.strictObject({
      type: z.literal('plain_text_input'),
      action_id: z.string(),
      multiline: z.boolean().optional(),
      max_length: z.int().min(1).max(3_000).optional(),
    }),
  ]),
});
const modal = z.strictObject({
  type: z.literal('modal'),
  callback_id: z.string().max(255),
  private_metadata: z.string().max(3_000),
  title: plainText(24),
  submit: plainText(24),
  close: plainText(24),
  blocks: z.array(input).min(1).max(100),
});

function json(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    throw new SlackError('invalid_blocks_format');
  }
}

function blocksOf(args: SlackArguments): z.output<typeof blocks> | undefined {
  const value = json(args.get('blocks'));
  if (value === undefined) return undefined;
  const parsed = blocks.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new SlackError('invalid_blocks', { response_metadata: { messages: [parsed.error.message] } });
}

function textOf(args: SlackArguments, max: number): string {
  const text = args.get('text') ?? '';
  if (text === '' && args.get('blocks') === null) throw new SlackError('no_text');
  if (text.length > max) throw new SlackError('msg_too_long');
  return text;
}

/** Mentions in text that Slack formats: `<!channel>`, `<@U…>`, `<#C…>`, and others of this form. */
const MARKED = /<[!@#][^<>]*>/g;
/** Mentions that Slack finds by itself in text that it may change. */
const PLAIN = /@(?:channel|here|everyone)\b/g;

/**
 * Everything that Slack would make of a message: who is mentioned. `parse` is `none` by default for new
 * messages and `client` for updates. `verbatim` false lets Slack find mentions in blocks.
 */
function mentionsOf(text: string, args: SlackArguments, shown: z.output<typeof blocks> | undefined, parse: string) {
  const isFree = (args.get('parse') ?? parse) !== 'none' || args.get('link_names') === 'true';
  const found = [...text.matchAll(MARKED), ...(isFree ? text.matchAll(PLAIN) : [])];
  const marked = (shown ?? []).flatMap((each) => {
    const texts = each.type === 'section' ? [each.text] : each.type === 'context' ? each.elements : [];
    return texts.flatMap(({ text: own, verbatim }) => [
      ...own.matchAll(MARKED),
      ...(verbatim === true ? [] : own.matchAll(PLAIN)),
    ]);
  });
  return [...found, ...marked].map(([mention]) => mention);
}

function channelFor(state: SlackState, args: SlackArguments): SlackChannelModel {
  scope(state, 'chat:write');
  const channel = state.model.channels.get(args.get('channel') ?? '');
  if (channel === undefined) throw new SlackError('channel_not_found');
  if (!channel.joined) throw new SlackError('not_in_channel');
  return channel;
}

/** What readers of a message see, and whom it mentions. */
const contentOf = (text: string, args: SlackArguments, parse: string) => {
  const shown = blocksOf(args);
  return { bot_id: 'B0APP', app_id: 'A0APP', blocks: shown ?? [], mentions: mentionsOf(text, args, shown, parse) };
};

const postMessage: SlackMethod = (state, args) => {
  const channel = channelFor(state, args);
  const text = textOf(args, MAX_TEXT);
  const threadTs = args.get('thread_ts') ?? undefined;
  if (threadTs !== undefined && !channel.messages.has(threadTs)) throw new SlackError('thread_not_found');
  const metadata = json(args.get('metadata'));
  const isUnfurled = args.get('unfurl_links') !== 'false' || args.get('unfurl_media') !== 'false';
  const extra = { ...contentOf(text, args, 'none'), isUnfurled, ...(metadata === undefined ? {} : { metadata }) };
  const message = state.model.post(channel.id, text, { user: 'U0APP', threadTs, extra });
  return { channel: channel.id, ts: message.ts, message: { type: 'message', text, ts: message.ts, bot_id: 'B0APP' } };
};

const update: SlackMethod = (state, args) => {
  const channel = channelFor(state, args);
  const message = channel.messages.get(args.get('ts') ?? '');
  if (message === undefined) throw new SlackError('message_not_found');
  if (message.user !== 'U0APP') throw new SlackError('cant_update_message');
  const text = textOf(args, MAX_UPDATE_TEXT);
  const next: SlackMessageModel = message;
  next.text = text;
  next.extra = { ...message.extra, ...contentOf(text, args, 'client') };
  return { channel: channel.id, ts: message.ts, text };
};

const postEphemeral: SlackMethod = (state, args) => {
  const channel = channelFor(state, args);
  const user = args.get('user') ?? '';
  if (!channel.members.includes(user)) throw new SlackError('user_not_in_channel');
  const text = textOf(args, MAX_TEXT);
  if (contentOf(text, args, 'none').mentions.length > 0) throw new SlackError('emulator_mention');
  state.whispers.push({ channel: channel.id, user, threadTs: args.get('thread_ts') ?? undefined, text });
  return { message_ts: state.model.nextTs() };
};

const conversationsOpen: SlackMethod = (state, args) => {
  scope(state, 'im:write');
  const user = state.model.users.get(args.get('users') ?? '');
  if (user === undefined) throw new SlackError('user_not_found');
  if (user.bot) throw new SlackError('cannot_dm_bot');
  return { channel: { id: openDirect(state, user.id).id } };
};

/** Returns the direct messages of the app with a person. */
export function openDirect(state: Pick<SlackState, 'model'>, user: string): SlackChannelModel {
  const { channels } = state.model;
  const known = [...channels.values()].find(({ directWith }) => directWith === user);
  return (
    known ?? state.model.addChannel(`D${user.slice(1)}`, '', { isPrivate: true, directWith: user, members: [user] })
  );
}

const viewsOpen: SlackMethod = (state, args) => {
  const trigger = args.get('trigger_id') ?? '';
  if (!state.triggers.delete(trigger)) throw new SlackError('invalid_trigger');
  const parsed = modal.safeParse(json(args.get('view')));
  if (!parsed.success) {
    throw new SlackError('invalid_arguments', { response_metadata: { messages: [parsed.error.message] } });
  }
  state.views.push({ trigger, view: parsed.data });
  return { view: { id: `V${state.views.length}`, ...parsed.data } };
};

export const messageMethods: Readonly<Record<string, SlackMethod>> = {
  'chat.postMessage': postMessage,
  'chat.update': update,
  'chat.postEphemeral': postEphemeral,
  'conversations.open': conversationsOpen,
  'views.open': viewsOpen,
};
