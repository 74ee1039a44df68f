import { authForm, channelForm, messageForm, userForm } from '#emulators/slack/slack-forms';
import type { SlackChannelModel } from '#emulators/slack/slack-model';
import { messageMethods } from '#emulators/slack/slack-posting';
import {
  type SlackArguments,
  SlackError,
  type SlackMethod,
  type SlackState,
  scope,
} from '#emulators/slack/slack-state';

function channelOf(state: SlackState, args: SlackArguments, needs: 'history' | 'read'): SlackChannelModel {
  const id = args.get('channel');
  if (id === null || id === '')
    throw new SlackError('invalid_arguments', {
      response_metadata: { messages: ['[ERROR] missing required field: channel'] },
    });
  const channel = state.model.channels.get(id);
  if (channel === undefined || (channel.isPrivate && !channel.joined)) throw new SlackError('channel_not_found');
  const kind = channel.directWith !== undefined ? 'im' : channel.isPrivate ? 'groups' : 'channels';
  scope(state, `${kind}:${needs}`);
  if (needs === 'history' && !channel.joined) throw new SlackError('not_in_channel');
  return channel;
}

/** Returns a page of a list with ascending numbers. The cursor contains the last number. */
function paged<T>(
  state: SlackState,
  args: SlackArguments,
  listing: string,
  entries: readonly T[],
  numberOf: (entry: T) => number,
) {
  const limit = args.get('limit') ?? '100';
  if (!/^\d+$/.test(limit) || Number(limit) < 1 || Number(limit) > 1_000) throw new SlackError('invalid_limit');
  const cursor = args.get('cursor') ?? '';
  const after = cursor === '' ? undefined : state.cursors.read(listing, cursor);
  if (cursor !== '' && after === undefined) throw new SlackError('invalid_cursor');
  const rest = entries.filter((entry) => numberOf(entry) > (after ?? Number.NEGATIVE_INFINITY));
  const page = rest.slice(0, Math.min(Number(limit), state.pageSize));
  const last = page.at(-1);
  const more = page.length < rest.length && last !== undefined;
  const next = more ? state.cursors.issue(listing, numberOf(last)) : '';
  return { page, more, response_metadata: { next_cursor: next } };
}

const conversationsList: SlackMethod = (state, args) => {
  const types = (args.get('types') ?? 'public_channel').split(',');
  if (types.includes('public_channel')) scope(state, 'channels:read');
  if (types.includes('private_channel')) scope(state, 'groups:read');
  const shown = [...state.model.channels.values()].filter((channel) =>
    channel.isPrivate ? types.includes('private_channel') && channel.joined : types.includes('public_channel'),
  );
  const order = new Map(shown.map((channel, at) => [channel, at]));
  const { page, response_metadata } = paged(state, args, 'list', shown, (channel) => order.get(channel) ?? 0);
  return { channels: page.map(channelForm), response_metadata };
};

const history: SlackMethod = (state, args) => {
  const channel = channelOf(state, args, 'history');
  const oldest = Number(args.get('oldest') ?? 0);
  const latest = Number(args.get('latest') ?? Number.MAX_SAFE_INTEGER);
  const inclusive = args.get('inclusive') === 'true' || args.get('inclusive') === '1';
  const messages = [...channel.messages.values()]
    .filter(({ threadTs, subtype }) => threadTs === undefined || subtype === 'thread_broadcast')
    .filter(({ ts }) =>
      inclusive ? Number(ts) >= oldest && Number(ts) <= latest : Number(ts) > oldest && Number(ts) < latest,
    )
    .sort((a, b) => Number(b.ts) - Number(a.ts));
  const listing = `history ${channel.id}`;
  const { page, more, response_metadata } = paged(state, args, listing, messages, ({ ts }) => -Number(ts));
  const shown = page.map((message) => messageForm(message, channel, state.origin()));
  return { messages: shown, has_more: more, pin_count: 0, ...(more ? { response_metadata } : {}) };
};

const replies: SlackMethod = (state, args) => {
  const channel = channelOf(state, args, 'history');
  const ts = args.get('ts');
  if (ts === null || ts === '')
    throw new SlackError('invalid_arguments', {
      response_metadata: { messages: ['[ERROR] missing required field: ts'] },
    });
  const root = channel.messages.get(ts);
  if (root === undefined) throw new SlackError('thread_not_found');
  const all = [...channel.messages.values()]
    .filter(({ threadTs }) => threadTs === ts)
    .sort((a, b) => Number(a.ts) - Number(b.ts));
  const listing = `replies ${channel.id} ${ts}`;
  const { page, more, response_metadata } = paged(state, args, listing, all, (reply) => Number(reply.ts));
  const shown = [root, ...page].map((message) => messageForm(message, channel, state.origin()));
  return { messages: shown, has_more: more, ...(more ? { response_metadata } : {}) };
};

const members: SlackMethod = (state, args) => {
  const channel = channelOf(state, args, 'read');
  const order = new Map(channel.members.map((member, at) => [member, at]));
  const listing = `members ${channel.id}`;
  const { page, response_metadata } = paged(state, args, listing, channel.members, (id) => order.get(id) ?? 0);
  return { members: page, response_metadata };
};

const usersList: SlackMethod = (state, args) => {
  scope(state, 'users:read');
  const users = [...state.model.users.values()];
  const order = new Map(users.map((user, at) => [user, at]));
  const { page, response_metadata } = paged(state, args, 'users', users, (user) => order.get(user) ?? 0);
  const withEmail = state.scopes.has('users:read.email');
  return { members: page.map((user) => userForm(user, state.model.teamId, withEmail)), cache_ts: 1, response_metadata };
};

/** https://docs.slack.dev/reference/methods/users.info */
const usersInfo: SlackMethod = (state, args) => {
  scope(state, 'users:read');
  const user = state.model.users.get(args.get('user') ?? '');
  if (user === undefined) throw new SlackError('user_not_found');
  return { user: userForm(user, state.model.teamId, state.scopes.has('users:read.email')) };
};

/** https://docs.slack.dev/reference/methods/conversations.info */
const conversationsInfo: SlackMethod = (state, args) => ({ channel: channelForm(channelOf(state, args, 'read')) });

export const slackMethods: Readonly<Record<string, SlackMethod>> = {
  'auth.test': ({ model }) => authForm(model),
  'conversations.list': conversationsList,
  'conversations.history': history,
  'conversations.replies': replies,
  'conversations.members': members,
  'users.list': usersList,
  'users.info': usersInfo,
  'conversations.info': conversationsInfo,
  ...messageMethods,
};
