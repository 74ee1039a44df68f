import { createHash } from 'node:crypto';
import { addressParser, decodeWords } from 'postal-mime';
import type { Message } from '#gmail/gmail-schemas';
import { formatItemId } from '#gmail/item-id';
import type { Mailbox } from '#gmail/mailboxes';
import { type Attachment, type MessageParts, readParts } from '#gmail/message-parts';
import { dateOf, type MailboxLabels } from '#gmail/selection';
import { canContainText } from '#media-type';
import type { SourceRef } from '#source';

/** A message with its parts. */
export interface ReadMessage {
  readonly message: Message;
  readonly parts: MessageParts;
}

/** A thread that becomes a document, with at least one message. */
export interface SelectedThread {
  readonly mailbox: Mailbox;
  readonly id: string;
  readonly messages: readonly ReadMessage[];
  readonly labels: MailboxLabels;
}

export const readMessages = (messages: readonly Message[]): readonly ReadMessage[] =>
  messages.map((message) => ({ message, parts: readParts(message.payload) }));

const MAX_TITLE_CHARS = 500;

/** Encoded words can contain line breaks. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

export function titleOf(messages: readonly ReadMessage[]): string {
  const subject = messages
    .map(({ parts }) => oneLine(decodeWords(parts.header('subject'))))
    .find((text) => text !== '');
  return subject?.slice(0, MAX_TITLE_CHARS).toWellFormed() ?? '(no subject)';
}

export interface Person {
  readonly name: string;
  readonly address: string;
}

/** The people that a header names. */
export function peopleOf({ parts }: ReadMessage, header: 'from' | 'to' | 'cc'): readonly Person[] {
  return addressParser(parts.header(header), { flatten: true }).map(({ name, address }) => ({
    name: oneLine(name || address || '').toWellFormed(),
    address: oneLine(address ?? '')
      .toLowerCase()
      .toWellFormed(),
  }));
}

/** ISO 8601; undefined if Gmail returned an impossible time. */
export function timeOf(message: Message): string | undefined {
  const time = new Date(dateOf(message));
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

/** The names of the user's labels on a thread, sorted. */
export const labelNames = ({ messages, labels }: SelectedThread): readonly string[] =>
  [...new Set(messages.flatMap(({ message }) => message.labelIds.flatMap((id) => labels.names.get(id) ?? [])))].sort();

/**
 * Messages never change, so the version consists of their ids and the shown labels. Gmail's history
 * id also changes when a message is read.
 */
export function versionOf(thread: SelectedThread): string {
  const shown = JSON.stringify([thread.messages.map(({ message }) => message.id), labelNames(thread)]);
  return createHash('sha256').update(shown).digest('hex').slice(0, 32);
}

const urlOf = ({ email }: Mailbox, id: string): string =>
  `https://mail.google.com/mail/?authuser=${encodeURIComponent(email)}#all/${id}`;

export function threadRef(thread: SelectedThread): SourceRef {
  const { mailbox, id, messages } = thread;
  const [first] = messages;
  const last = messages.at(-1);
  return {
    id: formatItemId({ mailbox: mailbox.id, thread: id }),
    // Paths appear in the errors of a job, which people read who cannot read the mailbox.
    path: `${mailbox.email}/${id}`,
    title: titleOf(messages),
    version: versionOf(thread),
    url: urlOf(mailbox, id),
    author: first && peopleOf(first, 'from')[0]?.name,
    mimeType: 'text/html',
    updatedAt: last && timeOf(last.message),
  };
}

/** Returns the item of an attachment, which never changes. */
export function attachmentRef(
  { mailbox, id }: Pick<SelectedThread, 'mailbox' | 'id'>,
  read: ReadMessage,
  { number, fileName, mimeType, sizeBytes }: Attachment,
): SourceRef {
  const { message } = read;
  return {
    id: formatItemId({ mailbox: mailbox.id, thread: id, attachment: { message: message.id, number } }),
    path: `${mailbox.email}/${id}/${message.id}/${number}`,
    title: fileName,
    version: `${message.id}/${number}`,
    url: urlOf(mailbox, id),
    author: peopleOf(read, 'from')[0]?.name,
    sizeBytes,
    mimeType: mimeType === '' || mimeType === 'application/octet-stream' ? undefined : mimeType,
    updatedAt: timeOf(message),
  };
}

export const isReadable = ({ mimeType }: Attachment): boolean => canContainText(mimeType);

/** Returns the items of a thread: its document, and the attachments that can contain text. */
export function itemsOf(thread: SelectedThread): readonly SourceRef[] {
  const attachments = thread.messages.flatMap((read) =>
    read.parts.attachments.filter(isReadable).map((attachment) => attachmentRef(thread, read, attachment)),
  );
  return [threadRef(thread), ...attachments];
}
