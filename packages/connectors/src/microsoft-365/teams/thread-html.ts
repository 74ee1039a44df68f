import { createHash } from 'node:crypto';
import { cleanHtml, escapeHtml, htmlPage, textOfHtml, textToHtml } from '#html/clean-html';
import { type ChatMessage, isVisible, type Thread } from '#microsoft-365/teams/chat-message';
import { threadItemId } from '#microsoft-365/teams/thread-id';
import type { SourceRef } from '#source';

/** The names of the place of a thread. */
export interface ChannelNames {
  readonly team: { readonly id: string; readonly name: string };
  readonly channel: { readonly id: string; readonly name: string };
}

const MAX_TITLE_CHARS = 80;

/** Attachments that are not files: quoted messages and cards. */
const isFile = (type: string | undefined): boolean => type === 'reference' || type === undefined;

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

/** The minute in UTC: `2026-01-31 09:30 UTC`. */
const minute = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

const authorOf = ({ from }: ChatMessage): string | undefined =>
  [from?.user, from?.application, from?.device]
    .map((who) => who?.displayName)
    .find((name) => name !== undefined && name !== '');

function bodyHtml({ body }: ChatMessage): string {
  const { contentType = 'text', content = '' } = body ?? {};
  if (contentType.toLowerCase() !== 'html') return content.trim() === '' ? '' : textToHtml(content);
  const html = cleanHtml(content, {
    // The author of each message is a heading of level 2.
    topHeading: 3,
    textBefore: (name, { alt = '', itemtype = '' }) => {
      if (name === 'at') return '@';
      // Emojis are elements of their own, or images.
      return name === 'emoji' || (name === 'img' && /emoji/i.test(itemtype)) ? alt : undefined;
    },
  });
  return `<div>${html}</div>`;
}

/** The files of a message as links. Their content is that of the library of the channel. */
function filesHtml({ attachments }: ChatMessage): string {
  const items = attachments.flatMap(({ contentType, contentUrl = '', name = '' }) => {
    if (!isFile(contentType) || `${name}${contentUrl}` === '') return [];
    const label = escapeHtml(name === '' ? contentUrl : name);
    if (!isWebAddress(contentUrl)) return [`<li>File: ${label}</li>`];
    const address = escapeHtml(contentUrl);
    return [`<li>File: <a href="${address}">${label}</a> (${address})</li>`];
  });
  return items.length === 0 ? '' : `<ul>${items.join('')}</ul>`;
}

/** Returns the visible messages in their order. */
function visibleMessages({ root, replies }: Thread): readonly ChatMessage[] {
  const all = [...new Map([root, ...replies.items].map((message) => [message.id, message])).values()];
  const order = ({ id, createdDateTime }: ChatMessage) => `${createdDateTime} ${id.padStart(20, '0')}`;
  const [first, ...others] = all;
  const sorted = others.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return (first === undefined ? [] : [first, ...sorted]).filter(isVisible);
}

function titleOf(messages: readonly ChatMessage[], { channel }: ChannelNames): string {
  const [first] = messages;
  const subject = first?.subject?.trim() ?? '';
  const words =
    subject === '' ? messages.map((message) => textOfHtml(bodyHtml(message))).find((text) => text !== '') : subject;
  const file = messages
    .flatMap(({ attachments }) => attachments.flatMap(({ name }) => name ?? []))
    .find((name) => name !== '');
  const title = words ?? file ?? `${channel.name} on ${first?.createdDateTime.slice(0, 10)}`;
  if (title.length <= MAX_TITLE_CHARS) return title;
  return `${title.slice(0, MAX_TITLE_CHARS).toWellFormed().trimEnd()}…`;
}

/** A thread as a document. */
export interface ThreadDocument {
  readonly ref: SourceRef;
  readonly html: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Writes a thread. Undefined if none of its messages is visible. Its version is a hash of what is
 * written, because the times of messages also change with reactions, and those of the first message
 * do not change with a reply.
 */
export function threadDocument(thread: Thread, names: ChannelNames): ThreadDocument | undefined {
  const messages = visibleMessages(thread);
  const [first] = messages;
  if (first === undefined) return undefined;
  const { team, channel } = names;
  const { root } = thread;
  const title = titleOf(messages, names);
  const parts = [`<p>${escapeHtml(`${team.name} / ${channel.name}`)}</p>`];
  for (const message of messages) {
    const { createdDateTime, lastEditedDateTime, subject } = message;
    const edited = lastEditedDateTime === undefined ? '' : ' (edited)';
    parts.push(`<h2>${escapeHtml(authorOf(message) ?? 'Unknown author')}, ${minute(createdDateTime)}${edited}</h2>`);
    if (subject !== undefined && subject !== '' && subject !== title) {
      parts.push(`<p><strong>${escapeHtml(subject)}</strong></p>`);
    }
    parts.push(bodyHtml(message), filesHtml(message));
  }
  if (thread.isCut) parts.push('<p>Earlier replies are not included.</p>');
  const html = htmlPage(
    title,
    parts.filter((part) => part !== ''),
  );
  const changed = messages.map((message) => message.lastEditedDateTime ?? message.createdDateTime).sort();
  const version = createHash('sha256')
    .update(JSON.stringify([html, team.name, channel.name]))
    .digest('hex')
    .slice(0, 32);
  const participants = [...new Set(messages.flatMap((message) => authorOf(message) ?? []))];
  return {
    ref: {
      id: threadItemId({ team: team.id, channel: channel.id, message: root.id }),
      path: `${team.name}/${channel.name}/${root.createdDateTime.slice(0, 16)} ${title}`,
      version,
      title,
      url: root.webUrl,
      author: authorOf(first),
      mimeType: 'text/html',
      updatedAt: changed.at(-1),
    },
    html,
    metadata: { team: team.name, channel: channel.name, participants, createdAt: root.createdDateTime },
  };
}
