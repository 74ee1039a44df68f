import { createHash } from 'node:crypto';
import { type MentionNames, mrkdwnToMarkdown } from '@lectern/slack-markup';
import { canContainText } from '#media-type';
import { nameOf } from '#slack/people';
import type { Channel, Message, SlackFile, User } from '#slack/slack-schemas';
import { fileItemId, threadItemId, timeOf } from '#slack/thread-id';
import type { SourceRef } from '#source';

/** The context for rendering messages. */
export interface RenderContext {
  /** The workspace's URL with a final slash. */
  readonly workspaceUrl: string;
  readonly people: ReadonlyMap<string, User>;
  readonly channelNames: ReadonlyMap<string, string>;
}

/** Recent replies can still be edited, and the thread's first message does not show that. */
const FRESH_MS = 7 * 24 * 60 * 60_000;
const MAX_TITLE_CHARS = 80;

/** System messages about a channel, without an author. */
const EVENTS = /^(channel|group)_|^(un)?pinned_item$|^bot_(add|remove)$|^reminder_add$|^huddle_thread$|^(sh_)?room_/;

/**
 * Returns true for a message that starts a document: it is in the channel itself and not a system
 * message.
 */
export function isRoot(message: Message): boolean {
  if (message.hidden || EVENTS.test(message.subtype ?? '')) return false;
  if (message.subtype === 'tombstone' && !message.reply_count) return false;
  return !message.thread_ts || message.thread_ts === message.ts;
}

const mentionNames = ({ people, channelNames }: RenderContext): MentionNames => ({
  user: (id) => nameOf(people.get(id)),
  channel: (id) => channelNames.get(id),
});

export function authorOf(message: Message, { people }: RenderContext): string | undefined {
  const user = message.user ? nameOf(people.get(message.user)) : undefined;
  return user ?? message.username ?? message.bot_profile?.name ?? message.user ?? undefined;
}

/**
 * Returns the text of a message with its attachments in Markdown; without a text, that of its
 * blocks.
 */
export function textOfMessage(message: Message, renderContext: RenderContext): string {
  const blocks = message.blocks?.flatMap((block) => block.text?.text ?? []) ?? [];
  const main = message.text || blocks.join('\n');
  const attached = (message.attachments ?? []).map(({ pretext, title, text, fallback }) =>
    [pretext, title, text].some(Boolean) ? [pretext, title, text].filter(Boolean).join('\n') : (fallback ?? ''),
  );
  const parts = [main, ...attached.filter((text) => !main.includes(text))].filter((text) => text !== '');
  return mrkdwnToMarkdown(parts.join('\n\n'), mentionNames(renderContext));
}

function titleOf(message: Message, channel: Channel, renderContext: RenderContext): string {
  const text = textOfMessage(message, renderContext)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`~]+/g, '');
  const [line] = text
    .split('\n')
    .map((entry) => entry.replace(/^[#>\s-]+/, '').trim())
    .filter((entry) => entry !== '');
  const short =
    line !== undefined && line.length > MAX_TITLE_CHARS ? `${line.slice(0, MAX_TITLE_CHARS).trimEnd()}…` : line;
  const day = timeOf(message.ts).toISOString().slice(0, 10);
  return short ?? message.files?.[0]?.title ?? `#${channel.name ?? channel.id} on ${day}`;
}

/**
 * Builds the link of https://docs.slack.dev/reference/methods/chat.getPermalink without a request.
 */
export const permalinkOf = (channel: string, ts: string, { workspaceUrl }: RenderContext): string =>
  `${workspaceUrl}archives/${channel}/p${ts.replace('.', '')}`;

/**
 * Returns a version that changes with each reply, and each edit of the first message or its files.
 * Undefined for a recently active thread: edits of replies do not show on the first message, so its content is
 * compared.
 */
function versionOf(message: Message, now: number): string | undefined {
  const { latest_reply: latest, reply_count: replies, edited } = message;
  if (latest && now - timeOf(latest).getTime() < FRESH_MS) return undefined;
  const files = (message.files ?? []).map(({ id }) => id);
  const digest = createHash('sha256')
    .update(JSON.stringify([message.text, files]))
    .digest('hex')
    .slice(0, 12);
  return [latest || message.ts, replies ?? 0, edited?.ts ?? '', digest].join(':');
}

/** Converts a thread to an item. */
export function threadRef(
  message: Message,
  channel: Channel,
  renderContext: RenderContext,
  now = Date.now(),
): SourceRef {
  const title = titleOf(message, channel, renderContext);
  const times = [message.ts, message.latest_reply, message.edited?.ts].flatMap((ts) => ts || []);
  const last = times.reduce((a, b) => (Number(a) > Number(b) ? a : b));
  return {
    id: threadItemId(channel.id, message.ts),
    path: `#${channel.name ?? channel.id}/${timeOf(message.ts).toISOString().slice(0, 16)} ${title}`,
    version: versionOf(message, now),
    title,
    url: permalinkOf(channel.id, message.ts, renderContext),
    author: authorOf(message, renderContext),
    mimeType: 'text/markdown',
    updatedAt: timeOf(last).toISOString(),
  };
}

/** Returns the files that are stored at Slack and can contain text. */
export function readableFiles(message: Message): readonly SlackFile[] {
  return (message.files ?? []).filter((file) => {
    if (file.mode === 'tombstone' || file.mode === 'hidden_by_limit' || file.mode === 'external') return false;
    if (file.is_external || file.file_access === 'access_denied') return false;
    return (file.url_private_download ?? file.url_private) != null && canContainText(file.mimetype ?? undefined);
  });
}

export const fileNameOf = (file: SlackFile): string => file.name || file.title || file.id;

/** Converts a file of a thread's first message to an item. */
export function fileRef(file: SlackFile, message: Message, channel: Channel, renderContext: RenderContext): SourceRef {
  const changed = file.updated ?? file.timestamp ?? file.created;
  return {
    id: fileItemId(channel.id, message.ts, file.id),
    path: `#${channel.name ?? channel.id}/${fileNameOf(file)}`,
    version: `${file.id}:${changed ?? ''}:${file.size ?? ''}`,
    title: file.title || fileNameOf(file),
    url: file.permalink ?? permalinkOf(channel.id, message.ts, renderContext),
    author: authorOf(message, renderContext),
    sizeBytes: file.size ?? undefined,
    mimeType: file.mimetype ?? undefined,
    updatedAt: changed == null ? timeOf(message.ts).toISOString() : new Date(changed * 1_000).toISOString(),
  };
}
