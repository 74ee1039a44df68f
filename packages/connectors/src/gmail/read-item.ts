import type { ConnectorCall } from '#connector';
import type { Message } from '#gmail/gmail-schemas';
import { parseItemId } from '#gmail/item-id';
import { type GmailContext, mailboxOf, matches, type OpenMailbox, readThread } from '#gmail/read-mailbox';
import { selectMessages } from '#gmail/selection';
import { threadHtml, threadMetadata } from '#gmail/thread-html';
import {
  attachmentRef,
  isReadable,
  peopleOf,
  readMessages,
  threadRef,
  timeOf,
  titleOf,
  versionOf,
} from '#gmail/thread-refs';
import { orNull } from '#http/or-null';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** Finds an item by its id; null if it does not exist or is not selected. */
export async function findItem(context: GmailContext, call: ConnectorCall, id: string): Promise<SourceRef | null> {
  const item = parseItemId(id);
  const open = item === undefined ? undefined : await mailboxOf(context, call, item);
  if (item === undefined || open === undefined) return null;
  const thread = (await readThread(open, call, item.thread))?.selected;
  if (thread === undefined || !(await matches(open, call, thread))) return null;
  if (item.attachment === undefined) return threadRef(thread);
  const { message: messageId, number } = item.attachment;
  const read = thread.messages.find(({ message }) => message.id === messageId);
  const attachment = read?.parts.attachments.find((candidate) => candidate.number === number);
  return read === undefined || attachment === undefined || !isReadable(attachment)
    ? null
    : attachmentRef(thread, read, attachment);
}

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}

const tooLarge = (path: string, maxBytes: number) =>
  new SourceError('too_large', `The attachment ${path} is larger than the limit of ${maxBytes} bytes.`);

function decodeContent(data: string, path: string): Buffer {
  if (!/^[\w+/-]*={0,2}$/.test(data)) {
    throw new SourceError('invalid', `Gmail returned an invalid encoding of the attachment ${path}.`);
  }
  return Buffer.from(data, 'base64url');
}

/** True for a message that may be read on its own, as far as it shows. */
const isSelectedMessage = ({ labels, filter }: OpenMailbox, message: Message): boolean =>
  // Another message of the thread can have the selected label.
  selectMessages([message], { ...labels, included: undefined }, filter).length > 0;

async function readAttachment(
  open: OpenMailbox,
  call: ConnectorCall,
  ref: SourceRef,
  { thread, message: messageId, number }: { thread: string; message: string; number: number },
  maxBytes: number,
): Promise<SourceContent | undefined> {
  const { api, mailbox } = open;
  const message = await orNull(api.message(call, messageId));
  if (message === null || !isSelectedMessage(open, message)) return undefined;
  const [read] = readMessages([message]);
  const attachment = read?.parts.attachments.find((candidate) => candidate.number === number);
  if (read === undefined || attachment === undefined) return undefined;
  if ((attachment.sizeBytes ?? 0) > maxBytes) throw tooLarge(ref.path, maxBytes);
  const { content } = attachment;
  const data = 'data' in content ? content.data : await api.attachment(call, messageId, content.id);
  const bytes = decodeContent(data, ref.path);
  if (bytes.byteLength > maxBytes) throw tooLarge(ref.path, maxBytes);
  if (attachment.sizeBytes !== undefined && bytes.byteLength !== attachment.sizeBytes) {
    throw new SourceError('transient', `Gmail returned only a part of the attachment ${ref.path}.`);
  }
  const from = peopleOf(read, 'from').map(({ address, name }) => address || name);
  return {
    body: bytesOf(bytes),
    version: attachmentRef({ mailbox, id: thread }, read, attachment).version,
    fileName: attachment.fileName,
    metadata: { mailbox: mailbox.email, subject: titleOf([read]), from, date: timeOf(message) },
  };
}

/** Reads the current content of an item. */
export async function readItem(
  context: GmailContext,
  call: ConnectorCall,
  ref: SourceRef,
  maxBytes: number,
): Promise<SourceContent> {
  const gone = () => new SourceError('gone', `${ref.path} no longer exists or is not selected.`);
  const item = parseItemId(ref.id);
  const open = item === undefined ? undefined : await mailboxOf(context, call, item);
  if (item === undefined || open === undefined) throw gone();
  if (item.attachment !== undefined) {
    const content = await readAttachment(open, call, ref, { thread: item.thread, ...item.attachment }, maxBytes);
    if (content === undefined) throw gone();
    return content;
  }
  const thread = (await readThread(open, call, item.thread))?.selected;
  if (thread === undefined) throw gone();
  return {
    body: bytesOf(Buffer.from(threadHtml(thread))),
    version: versionOf(thread),
    fileName: `${item.thread}.html`,
    metadata: threadMetadata(thread),
  };
}
