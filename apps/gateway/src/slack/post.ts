import type { WebClient } from '@slack/web-api';
import { HARMLESS, type Message } from '#slack/blocks';

/** Where messages are posted. */
export interface Place {
  readonly channel: string;
  /** The first message of the thread. Without one, the message starts a thread. */
  readonly thread?: string | undefined;
}

/** Posts a message and returns its timestamp, which identifies it. `mark` makes it recognizable. */
export async function postMessage(
  client: WebClient,
  { channel, thread }: Place,
  message: Message,
  mark?: string,
): Promise<string> {
  const metadata = mark === undefined ? {} : { metadata: { event_type: 'lectern_reply', event_payload: { mark } } };
  const { ts } = await client.chat.postMessage({
    channel,
    ...(thread === undefined ? {} : { thread_ts: thread }),
    ...message,
    ...metadata,
    ...HARMLESS,
  });
  if (ts === undefined) throw new TypeError('Slack returned no timestamp for a message.');
  return ts;
}

/** Replaces a message. */
export async function updateMessage(client: WebClient, channel: string, ts: string, message: Message): Promise<void> {
  const { parse, link_names } = HARMLESS;
  await client.chat.update({ channel, ts, ...message, parse, link_names });
}

/** Shows a message to one person only. */
export async function whisper(client: WebClient, place: Place, user: string, message: Message): Promise<void> {
  const { parse, link_names } = HARMLESS;
  const { channel, thread } = place;
  const at = thread === undefined ? {} : { thread_ts: thread };
  await client.chat.postEphemeral({ channel, user, ...at, ...message, parse, link_names });
}

/** Opens the direct messages with a person. */
export async function directChannel(client: WebClient, user: string): Promise<string> {
  const { channel } = await client.conversations.open({ users: user });
  if (channel?.id === undefined) throw new TypeError('Slack returned no channel for direct messages.');
  return channel.id;
}
