import { z } from 'zod';
import { entriesOf } from '#http/entries';

/** Schemas of Slack's responses. https://docs.slack.dev/reference/methods */

export const Channel = z.object({
  id: z.string(),
  name: z.string().nullish(),
  is_private: z.boolean().nullish(),
  is_member: z.boolean().nullish(),
});
export type Channel = z.infer<typeof Channel>;

export const SlackFile = z.object({
  id: z.string(),
  name: z.string().nullish(),
  title: z.string().nullish(),
  mimetype: z.string().nullish(),
  size: z.number().nullish(),
  mode: z.string().nullish(),
  is_external: z.boolean().nullish(),
  file_access: z.string().nullish(),
  created: z.number().nullish(),
  timestamp: z.number().nullish(),
  updated: z.number().nullish(),
  permalink: z.string().nullish(),
  url_private: z.string().nullish(),
  url_private_download: z.string().nullish(),
});
export type SlackFile = z.infer<typeof SlackFile>;

const TextObject = z.object({ text: z.string().nullish() }).nullish();

export const Message = z.object({
  type: z.string().nullish(),
  subtype: z.string().nullish(),
  hidden: z.boolean().nullish(),
  ts: z.string(),
  thread_ts: z.string().nullish(),
  user: z.string().nullish(),
  username: z.string().nullish(),
  bot_id: z.string().nullish(),
  bot_profile: z.object({ name: z.string().nullish() }).nullish(),
  text: z.string().nullish(),
  reply_count: z.number().nullish(),
  latest_reply: z.string().nullish(),
  edited: z.object({ ts: z.string().nullish() }).nullish(),
  files: z.array(SlackFile).nullish(),
  attachments: z
    .array(
      z.object({
        pretext: z.string().nullish(),
        title: z.string().nullish(),
        text: z.string().nullish(),
        fallback: z.string().nullish(),
      }),
    )
    .nullish(),
  blocks: z.array(z.object({ type: z.string(), text: TextObject.catch(undefined) })).nullish(),
});
export type Message = z.infer<typeof Message>;

export const User = z.object({
  id: z.string(),
  team_id: z.string().nullish(),
  name: z.string().nullish(),
  real_name: z.string().nullish(),
  deleted: z.boolean().nullish(),
  is_bot: z.boolean().nullish(),
  is_restricted: z.boolean().nullish(),
  is_ultra_restricted: z.boolean().nullish(),
  is_stranger: z.boolean().nullish(),
  profile: z
    .object({ display_name: z.string().nullish(), real_name: z.string().nullish(), email: z.string().nullish() })
    .nullish(),
});
export type User = z.infer<typeof User>;

export const AuthTest = z.object({
  url: z.url({ protocol: /^https?$/ }).catch('https://slack.com/'),
  team: z.string().nullish(),
  team_id: z.string(),
  user: z.string().nullish(),
});
export type AuthTest = z.infer<typeof AuthTest>;

const Metadata = z.object({ next_cursor: z.string().nullish() }).nullish();

export const ChannelPage = z.object({ channels: entriesOf(Channel), response_metadata: Metadata });
export const MessagePage = z.object({ messages: entriesOf(Message, { id: 'ts' }), response_metadata: Metadata });
export const UserPage = z.object({ members: entriesOf(User), response_metadata: Metadata });
export const MemberPage = z.object({ members: entriesOf(z.string()), response_metadata: Metadata });
