import type {
  SlackChannelModel,
  SlackFileModel,
  SlackMessageModel,
  SlackModel,
  SlackUserModel,
} from '#emulators/slack/slack-model';

/** The formats in Slack's samples. https://github.com/slackapi/java-slack-sdk/tree/main/json-logs/samples/api */

export const channelForm = (channel: SlackChannelModel) => ({
  id: channel.id,
  name: channel.name,
  is_channel: channel.directWith === undefined,
  is_group: false,
  is_im: channel.directWith !== undefined,
  is_shared: channel.isExtShared,
  is_ext_shared: channel.isExtShared,
  is_org_shared: false,
  is_pending_ext_shared: false,
  is_private: channel.isPrivate,
  is_archived: false,
  is_member: channel.joined,
  num_members: channel.members.length,
});

export const userForm = (user: SlackUserModel, teamId: string, withEmail: boolean) => ({
  id: user.id,
  team_id: user.homeTeam ?? teamId,
  ...(user.homeTeam === undefined ? {} : { is_stranger: true }),
  ...(withEmail ? { is_email_confirmed: user.emailConfirmed } : {}),
  name: user.name,
  deleted: user.deleted,
  ...(user.deleted ? {} : { real_name: user.displayName, is_restricted: user.guest, is_ultra_restricted: false }),
  is_bot: user.bot,
  profile: {
    real_name: user.displayName,
    display_name: user.displayName,
    ...(withEmail && user.email !== undefined ? { email: user.email } : {}),
  },
});

function fileForm(file: SlackFileModel, origin: string) {
  const { id, name, mimetype, bytes, externalUrl } = file;
  const common = {
    id,
    name,
    title: name,
    mimetype,
    size: bytes.length,
    created: 1_700_000_000,
    timestamp: 1_700_000_000,
  };
  const permalink = `https://lectern.slack.com/files/U0ADA/${id}/${encodeURIComponent(name)}`;
  if (externalUrl !== undefined) {
    return { ...common, mode: 'external', is_external: true, url_private: externalUrl, permalink };
  }
  const address = `${origin}/files-pri/T0LECTERN-${id}`;
  return {
    ...common,
    mode: 'hosted',
    is_external: false,
    url_private: `${address}/${encodeURIComponent(name)}`,
    url_private_download: `${address}/download/${encodeURIComponent(name)}`,
    permalink,
  };
}

/** A message in a history or thread. The first message of a thread has the counts of its replies. */
export function messageForm(message: SlackMessageModel, channel: SlackChannelModel, origin: string) {
  const replies = [...channel.messages.values()].filter((reply) => reply.threadTs === message.ts);
  const last = replies
    .map(({ ts }) => ts)
    .sort()
    .at(-1);
  const parent =
    last === undefined
      ? {}
      : {
          thread_ts: message.ts,
          reply_count: replies.length,
          reply_users_count: new Set(replies.map(({ user }) => user)).size,
          latest_reply: last,
          reply_users: [...new Set(replies.map(({ user }) => user))],
          is_locked: false,
          subscribed: false,
        };
  return {
    type: 'message',
    ...(message.subtype === undefined ? {} : { subtype: message.subtype }),
    ...(message.user === undefined ? {} : { user: message.user }),
    text: message.text,
    ts: message.ts,
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs, parent_user_id: 'U0ADA' }),
    ...(message.editedTs === undefined ? {} : { edited: { user: message.user, ts: message.editedTs } }),
    ...(message.files.length === 0 ? {} : { files: message.files.map((file) => fileForm(file, origin)) }),
    ...parent,
    ...message.extra,
  };
}

export const authForm = (model: SlackModel) => ({
  url: 'https://lectern.slack.com/',
  team: 'Lectern',
  user: 'lectern-app',
  team_id: model.teamId,
  user_id: 'U0APP',
  bot_id: 'B0APP',
  is_enterprise_install: false,
});
