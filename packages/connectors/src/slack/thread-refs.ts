import { createHash } from 'node:crypto';
import { mayHoldText } from '../media-type.ts';
import type { SourceRef } from '../source.ts';
import { type MentionNames, mrkdwnToMarkdown } from './mrkdwn.ts';
import { nameOf } from './people.ts';
import type { Channel, Message, SlackFile, User } from './slack-forms.ts';
import { fileItemId, threadItemId, timeOf } from './thread-id.ts';

/** What messages are shown with. */
export interface Showing {
  /** The workspace's address, with a slash at the end. */
  readonly workspaceUrl: string;
  readonly people: ReadonlyMap<string, User>;
  readonly channelNames: ReadonlyMap<string, string>;
}

/** While people still edit what they wrote: an edited reply does not show on the thread's first message. */
const FRESH_MS = 7 * 24 * 60 * 60_000;
const LONGEST_TITLE = 80;

/** Notes of what happened to a channel, which nobody wrote. */
const EVENTS = /^(channel|group)_|^(un)?pinned_item$|^bot_(add|remove)$|^reminder_add$|^huddle_thread$|^(sh_)?room_/;

/** True for a message that begins a document: it stands in the channel itself, and somebody wrote it. */
export function isRoot(message: Message): boolean {
  if (message.hidden || EVENTS.test(message.subtype ?? '')) return false;
  if (message.subtype === 'tombstone' && !message.reply_count) return false;
  return !message.thread_ts || message.thread_ts === message.ts;
}

export const mentionNames = ({ people, channelNames }: Showing): MentionNames => ({
  user: (id) => nameOf(people.get(id)),
  channel: (id) => channelNames.get(id),
});

export function authorOf(message: Message, { people }: Showing): string | undefined {
  const user = message.user ? nameOf(people.get(message.user)) : undefined;
  return user ?? message.username ?? message.bot_profile?.name ?? message.user ?? undefined;
}

/** What a message says, in Markdown: its text, else what its blocks and attachments say. */
export function textOfMessage(message: Message, showing: Showing): string {
  const blocks = message.blocks?.flatMap((block) => block.text?.text ?? []) ?? [];
  const own = message.text || blocks.join('\n');
  const attached = (message.attachments ?? []).map(({ pretext, title, text, fallback }) =>
    [pretext, title, text].some(Boolean) ? [pretext, title, text].filter(Boolean).join('\n') : (fallback ?? ''),
  );
  const parts = [own, ...attached.filter((text) => !own.includes(text))].filter((text) => text !== '');
  return mrkdwnToMarkdown(parts.join('\n\n'), mentionNames(showing));
}

function titleOf(message: Message, channel: Channel, showing: Showing): string {
  const text = textOfMessage(message, showing)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`~]+/g, '');
  const [line] = text
    .split('\n')
    .map((entry) => entry.replace(/^[#>\s-]+/, '').trim())
    .filter((entry) => entry !== '');
  const short = line !== undefined && line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE).trimEnd()}…` : line;
  const day = timeOf(message.ts).toISOString().slice(0, 10);
  return short ?? message.files?.[0]?.title ?? `#${channel.name ?? channel.id} on ${day}`;
}

/** https://docs.slack.dev/reference/methods/chat.getPermalink tells this form, without a request for each message. */
export const permalinkOf = (channel: string, ts: string, { workspaceUrl }: Showing): string =>
  `${workspaceUrl}archives/${channel}/p${ts.replace('.', '')}`;

/**
 * Changes with each reply, each edit of the first message and its files. Undefined for a thread that was spoken in of late: its replies
 * may be edited without a trace on the first message, so it is read again and compared by content.
 */
function versionOf(message: Message, now: number): string | undefined {
  const { latest_reply: latest, reply_count: replies, edited } = message;
  if (latest && now - timeOf(latest).getTime() < FRESH_MS) return undefined;
  const files = (message.files ?? []).map(({ id }) => id);
  const own = createHash('sha256')
    .update(JSON.stringify([message.text, files]))
    .digest('hex')
    .slice(0, 12);
  return [latest || message.ts, replies ?? 0, edited?.ts ?? '', own].join(':');
}

/** A thread as an item. */
export function threadRef(message: Message, channel: Channel, showing: Showing, now = Date.now()): SourceRef {
  const title = titleOf(message, channel, showing);
  const times = [message.ts, message.latest_reply, message.edited?.ts].flatMap((ts) => ts || []);
  const last = times.reduce((a, b) => (Number(a) > Number(b) ? a : b));
  return {
    id: threadItemId(channel.id, message.ts),
    path: `#${channel.name ?? channel.id}/${timeOf(message.ts).toISOString().slice(0, 16)} ${title}`,
    version: versionOf(message, now),
    title,
    url: permalinkOf(channel.id, message.ts, showing),
    author: authorOf(message, showing),
    mimeType: 'text/markdown',
    updatedAt: timeOf(last).toISOString(),
  };
}

/** Files that Slack keeps and that may hold text; of others there is only a trace or a link. */
export function readableFiles(message: Message): readonly SlackFile[] {
  return (message.files ?? []).filter((file) => {
    if (file.mode === 'tombstone' || file.mode === 'hidden_by_limit' || file.mode === 'external') return false;
    if (file.is_external || file.file_access === 'access_denied') return false;
    return (file.url_private_download ?? file.url_private) != null && mayHoldText(file.mimetype ?? undefined);
  });
}

export const fileNameOf = (file: SlackFile): string => file.name || file.title || file.id;

/** A file that was sent with a thread's first message, as an item. */
export function fileRef(file: SlackFile, message: Message, channel: Channel, showing: Showing): SourceRef {
  const changed = file.updated ?? file.timestamp ?? file.created;
  return {
    id: fileItemId(channel.id, message.ts, file.id),
    path: `#${channel.name ?? channel.id}/${fileNameOf(file)}`,
    version: `${file.id}:${changed ?? ''}:${file.size ?? ''}`,
    title: file.title || fileNameOf(file),
    url: file.permalink ?? permalinkOf(channel.id, message.ts, showing),
    author: authorOf(message, showing),
    sizeBytes: file.size ?? undefined,
    mimeType: file.mimetype ?? undefined,
    updatedAt: changed == null ? timeOf(message.ts).toISOString() : new Date(changed * 1_000).toISOString(),
  };
}
