import type { ConnectorCall } from '#connector';
import { wholeList } from '#http/entries';
import { orNull } from '#http/or-null';
import { isRecent, type MailListing } from '#microsoft-365/mail/list-mail';
import {
  type Attachment,
  attachmentRef,
  type FullMessage,
  isAttachedItem,
  isReadable,
  type MailMessage,
  type MessageHome,
  messageRef,
  nameOfAttachment,
  type Person,
  timeOf,
} from '#microsoft-365/mail/message';
import { hasQuotes, isForward, messageHtml } from '#microsoft-365/mail/message-html';
import { type MessagePlace, parseMailId } from '#microsoft-365/mail/message-id';
import { isUnreadable } from '#readers/reader-lists';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** Returns the message and its home; null if it does not exist, or is not read. */
async function findMessage<M extends MailMessage>(
  listing: MailListing,
  call: ConnectorCall,
  place: MessagePlace,
  request: (call: ConnectorCall, place: MessagePlace) => Promise<M>,
): Promise<{ readonly home: MessageHome; readonly message: M } | null> {
  const mailbox = await listing.mailboxes.place(call, place.user);
  const message = mailbox === undefined ? null : await orNull(request(call, place));
  if (mailbox === undefined || message === null || !isRecent(listing, message)) return null;
  const folder = await listing.folders.folder(call, mailbox, message.parentFolderId);
  return folder === undefined ? null : { home: { mailbox, folder }, message };
}

export async function resolveMail(listing: MailListing, call: ConnectorCall, id: string): Promise<SourceRef | null> {
  const place = parseMailId(id);
  const found = place === undefined ? null : await findMessage(listing, call, place, listing.api.message);
  if (place === undefined || found === null) return null;
  const { home, message } = found;
  const { attachment: attachmentId } = place;
  if (attachmentId === undefined) return messageRef(home, message);
  const attachment = await orNull(listing.api.attachment(call, { ...place, attachment: attachmentId }));
  return attachment === null || !isReadable(attachment) ? null : attachmentRef(home, message, attachment);
}

const peopleOf = (list: readonly Person[]): readonly string[] =>
  list.flatMap(({ emailAddress }) => emailAddress?.address ?? []).slice(0, 50);

const metadataOf = ({ mailbox, folder }: MessageHome, message: MailMessage) => {
  const { from, sender, toRecipients, ccRecipients, sentDateTime, conversationId } = message;
  const fields = {
    ...{ mailbox: mailbox.address, folder: folder.path, conversationId, sentAt: sentDateTime },
    ...{ from: (from ?? sender)?.emailAddress?.address, to: peopleOf(toRecipients), cc: peopleOf(ccRecipients) },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value.length > 0));
};

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, void> {
  yield Buffer.from(text);
}

export interface MailContent extends MailListing {
  readonly maxItemBytes: number;
}

const tooLarge = ({ maxItemBytes }: MailContent, path: string) =>
  new SourceError('too_large', `${path} is larger than the limit of ${maxItemBytes} bytes.`);

/**
 * True if the quotes of a message are text that no other document has: if it forwards them, or if no
 * earlier message of its conversation is read.
 */
async function needsQuotes(
  listing: MailListing,
  call: ConnectorCall,
  { home: { mailbox }, message }: { readonly home: MessageHome; readonly message: FullMessage },
): Promise<boolean> {
  const { id, conversationId } = message;
  if (!hasQuotes(message)) return false;
  const time = Date.parse(timeOf(message) ?? '');
  if (isForward(message) || conversationId === undefined || Number.isNaN(time)) return true;
  try {
    const { items } = await listing.api.conversation(call, mailbox.id, conversationId);
    for (const other of items) {
      if (other.id === id || !(Date.parse(timeOf(other) ?? '') < time) || !isRecent(listing, other)) continue;
      if ((await listing.folders.folder(call, mailbox, other.parentFolderId)) !== undefined) return false;
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
  return true;
}

async function readMessage(context: MailContent, call: ConnectorCall, ref: SourceRef, place: MessagePlace) {
  const found = await findMessage(context, call, place, context.api.fullMessage);
  if (found === null) throw new SourceError('gone', `${ref.path} was deleted, or is in a folder that is not read.`);
  const { home, message } = found;
  const [listed] = await context.api.attachments(call, [place]);
  if (listed !== undefined && 'error' in listed) throw listed.error;
  const attachments: readonly Attachment[] =
    listed === undefined ? [] : wholeList(listed.value, 'the attachments of the message');
  const withQuotes = await needsQuotes(context, call, found);
  const html = messageHtml(message, { attachments, withQuotes });
  if (Buffer.byteLength(html) > context.maxItemBytes) throw tooLarge(context, ref.path);
  const { version } = messageRef(home, message);
  return { body: bytesOf(html), version, fileName: 'message.html', metadata: metadataOf(home, message) };
}

/** Yields a body up to the limit. */
async function* limited(context: MailContent, body: AsyncIterable<Uint8Array>, path: string) {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > context.maxItemBytes) throw tooLarge(context, path);
    yield piece;
  }
}

/** The characters that show the format of an attached item. */
const START_BYTES = 64;

/** Graph returns an attached message, event or contact in its own format, and does not name it. */
function extensionOf(start: string): string {
  if (/^\s*BEGIN:VCALENDAR/i.test(start)) return '.ics';
  return /^\s*BEGIN:VCARD/i.test(start) ? '.vcf' : '.eml';
}

/** Reads the beginning of a body. The returned body still has it. */
async function peek(body: AsyncIterable<Uint8Array>) {
  const pieces = body[Symbol.asyncIterator]();
  const read: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < START_BYTES) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    read.push(value);
    bytes += value.byteLength;
  }
  async function* all(): AsyncGenerator<Uint8Array, void, void> {
    try {
      yield* read;
      for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
    } finally {
      await pieces.return?.();
    }
  }
  return { start: Buffer.concat(read).toString('latin1', 0, START_BYTES), body: all() };
}

async function readAttachment(
  context: MailContent,
  call: ConnectorCall,
  { path }: SourceRef,
  place: MessagePlace & { readonly attachment: string },
): Promise<SourceContent> {
  const gone = () => new SourceError('gone', `${path} was deleted, or is in a folder that is not read.`);
  const found = await findMessage(context, call, place, context.api.message);
  const attachment = found === null ? null : await orNull(context.api.attachment(call, place));
  if (found === null || attachment === null || !isReadable(attachment)) throw gone();
  if (attachment.size !== undefined && attachment.size > context.maxItemBytes) throw tooLarge(context, path);
  const { value } = await context.api.content(call, place);
  const { home, message } = found;
  const shared = {
    version: attachmentRef(home, message, attachment).version,
    metadata: { ...metadataOf(home, message), message: message.subject ?? '' },
  };
  const name = nameOfAttachment(attachment);
  const content = limited(context, value, path);
  if (!isAttachedItem(attachment)) return { body: content, fileName: name, ...shared };
  const { start, body } = await peek(content);
  return { body, fileName: `${name}${extensionOf(start)}`, ...shared };
}

/** Reads a message as HTML, or an attachment. */
export async function readMail(context: MailContent, call: ConnectorCall, ref: SourceRef): Promise<SourceContent> {
  const place = parseMailId(ref.id);
  if (place === undefined) throw new SourceError('gone', `${ref.path} is not a message of Outlook.`);
  const { attachment } = place;
  if (attachment === undefined) return readMessage(context, call, ref, place);
  return readAttachment(context, call, ref, { ...place, attachment });
}
