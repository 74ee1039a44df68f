import { randomBytes } from 'node:crypto';
import type { FetchMessageObject, MessageAddressObject } from 'imapflow';
import type { ConnectorCall } from '#connector';
import type { AttachmentPart, TextPart } from '#imap/body-parts';
import { fetchRows } from '#imap/fetch-rows';
import { describeMessages, findMessage, searchFolder } from '#imap/find-messages';
import { type Folder, isUnreadableFolder, listFolders, openFolder } from '#imap/folders';
import { headerValues } from '#imap/header-fields';
import { earlierText, omitHtmlQuotes, readQuotingHtml } from '#imap/html-quotes';
import { type ItemName, parseItemId, placeOfVersion, searchableId } from '#imap/item-id';
import { attachmentRef, type FoundMessage, messageRef, titleOf } from '#imap/item-refs';
import { withSession } from '#imap/list-messages';
import { oneLine } from '#imap/message-facts';
import { omitQuote } from '#imap/omit-quotes';
import type { Step } from '#imap/open-session';
import type { Scope } from '#imap/scope';
import type { SourceContent, SourceRef } from '#source';
import { SourceError } from '#source-error';

/** The time for the content of one item. */
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
const CHUNK_BYTES = 1024 * 1024;
const FOLDERS_MS = 60_000;
const MAX_ADDRESSES = 50;
/** Folders in which the message that a reply quotes is searched for. */
const MAX_PARENT_FOLDERS = 20;

/** Header fields of a document. The others are technical. */
const FIELDS = ['Subject', 'From', 'To', 'Cc', 'Date'] as const;
const THREAD_FIELDS = ['References', 'In-Reply-To', 'Message-ID'] as const;

// --- Where a message is ---

/** The folders of each mailbox, listed once a minute: enough to find a message that did not move. */
export type FolderCache = Map<string, { readonly until: number; readonly folders: readonly Folder[] }>;

async function cachedFolders(
  scope: Scope,
  cache: FolderCache,
  step: Step,
  mailbox: string,
): Promise<readonly Folder[]> {
  const cached = cache.get(mailbox);
  if (cached !== undefined && cached.until > Date.now()) return cached.folders;
  const folders = await listFolders(scope, step);
  cache.set(mailbox, { until: Date.now() + FOLDERS_MS, folders });
  return folders;
}

const isGone = (error: unknown): boolean => error instanceof SourceError && error.kind === 'gone';

/** Finds a message in the place of its version; undefined if it is not there any more. */
async function findInPlace(
  scope: Scope,
  cache: FolderCache,
  step: Step,
  { name, version }: { readonly name: ItemName; readonly version: string | undefined },
): Promise<FoundMessage | undefined> {
  const place = placeOfVersion(version);
  const folders = place === undefined ? [] : await cachedFolders(scope, cache, step, name.mailbox);
  const folder = folders.find((candidate) => place?.isFolder(candidate.name));
  if (place === undefined || folder === undefined) return undefined;
  try {
    const open = await openFolder(step, folder);
    if (open.uidValidity !== place.uidValidity) return undefined;
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
  const [described] = await describeMessages(scope, step, [place.uid]);
  if (described === undefined || !('facts' in described) || described.facts.key !== name.key) return undefined;
  const { uidValidity, uid } = place;
  return { mailbox: name.mailbox, facts: described.facts, place: { folder: folder.name, uidValidity, uid } };
}

/** Finds the item with an id; null if it does not exist. */
export async function findItem(scope: Scope, call: ConnectorCall, id: string): Promise<SourceRef | null> {
  const name = parseItemId(id);
  if (name === undefined || !scope.mailboxes.includes(name.mailbox)) return null;
  if (name.part !== undefined && !scope.readsAttachments) return null;
  const found = await withSession(scope, call, name.mailbox, async (step) =>
    findMessage(scope, step, name, await listFolders(scope, step)),
  );
  if (found === undefined) return null;
  if (name.part === undefined) return messageRef(found);
  const attachment = found.facts.attachments.find(({ part }) => part === name.part);
  return attachment === undefined ? null : attachmentRef(found, attachment);
}

// --- Content ---

const tooLarge = (path: string, maxBytes: number) =>
  new SourceError('too_large', `${path} is larger than the limit of ${maxBytes} bytes.`);

const incomplete = () => new SourceError('transient', 'The IMAP server sent only a part of the message.');

async function* bytesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  yield bytes;
}

const partHeader = ({ type, charset, encoding, isFlowed }: TextPart): string =>
  `Content-Type: ${type}; charset="${charset}"${isFlowed ? '; format=flowed' : ''}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;

/** The texts of a message with their encoded content. */
type Texts = readonly (readonly [TextPart, Buffer])[];

/**
 * Writes a message with its texts, but without attachments, for the parser of email messages. Texts
 * stay encoded.
 */
function writeMessage(header: ReadonlyMap<string, string>, texts: Texts): Buffer {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const fields = FIELDS.map((name) => [name, header.get(name.toLowerCase())] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\r\n`);
  const top = latin1(`${fields.join('')}MIME-Version: 1.0\r\n`);
  const [first, ...rest] = texts;
  if (first === undefined) return Buffer.concat([top, latin1('Content-Type: text/plain\r\n\r\n')]);
  if (rest.length === 0) return Buffer.concat([top, latin1(partHeader(first[0])), first[1]]);
  const boundary = randomBytes(24).toString('hex');
  const parts = texts.flatMap(([part, bytes]) => [latin1(`\r\n--${boundary}\r\n${partHeader(part)}`), bytes]);
  const type = latin1(`Content-Type: multipart/mixed; boundary="${boundary}"\r\n`);
  return Buffer.concat([top, type, ...parts, latin1(`\r\n--${boundary}--\r\n`)]);
}

const addressTexts = (addresses: readonly MessageAddressObject[] | undefined): readonly string[] =>
  (addresses ?? [])
    .slice(0, MAX_ADDRESSES)
    .map(({ name, address }) => oneLine(name ? `${name} <${address ?? ''}>` : address))
    .filter((text) => text !== '');

/** Returns the Message-ID of the first message of the conversation. */
function threadOf(header: ReadonlyMap<string, string>): string | undefined {
  const ids = THREAD_FIELDS.map((name) => /<([^<>\s]{1,250})>/.exec(header.get(name.toLowerCase()) ?? '')?.[1]);
  return ids.find((id) => id !== undefined);
}

const withoutEmpty = (fields: Readonly<Record<string, string | readonly string[] | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value.length > 0));

function messageMetadata(
  { mailbox, place, facts }: FoundMessage,
  message: FetchMessageObject,
  header: ReadonlyMap<string, string>,
) {
  const { envelope } = message;
  return withoutEmpty({
    ...{ mailbox, folder: place.folder, labels: facts.labels, sentAt: facts.sentAt },
    ...{ from: addressTexts(envelope?.from), to: addressTexts(envelope?.to), cc: addressTexts(envelope?.cc) },
    messageId: /<([^<>\s]{1,250})>/.exec(header.get('message-id') ?? '')?.[1],
    thread: threadOf(header),
    attachments: facts.attachments.map(({ fileName }) => fileName),
  });
}

/** Returns the Message-ID that a reply answers. */
function parentOf(header: ReadonlyMap<string, string>): string | undefined {
  const parent = searchableId(header.get('in-reply-to'));
  return parent === searchableId(header.get('message-id')) ? undefined : parent;
}

/** Finds a message that is a document of its own, and returns its UID. Its folder is open then. */
async function findParent(
  scope: Scope,
  cache: FolderCache,
  step: Step,
  { mailbox, place }: FoundMessage,
  messageId: string,
): Promise<number | undefined> {
  const folders = await cachedFolders(scope, cache, step, mailbox);
  const isOwn = ({ name }: Folder) => name === place.folder;
  const likely = [...folders.filter(isOwn), ...folders.filter((folder) => !isOwn(folder))];
  for (const folder of likely.slice(0, MAX_PARENT_FOLDERS)) {
    try {
      await openFolder(step, folder);
    } catch (error) {
      if (isUnreadableFolder(error)) continue;
      throw error;
    }
    const [uid] = await searchFolder(scope, step, { header: { 'message-id': `<${messageId}>` } });
    if (uid !== undefined) return uid;
  }
  return undefined;
}

/** Reads the texts of a message in the open folder. None if it is gone or invalid. */
async function readEarlierTexts(scope: Scope, step: Step, uid: number): Promise<readonly string[]> {
  const [described] = await describeMessages(scope, step, [uid]);
  if (described === undefined || !('facts' in described)) return [];
  const { texts } = described.facts;
  if (texts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > scope.maxItemBytes) return [];
  const query = { uid: true, headers: ['Message-ID'], bodyParts: texts.map(({ part }) => part) };
  const row = (await fetchRows(step, [uid], query, (message) => message, { timeoutMs: DOWNLOAD_TIMEOUT_MS })).get(uid);
  return texts.flatMap((text) => {
    const bytes = row?.bodyParts?.get(text.part);
    return bytes === undefined || bytes === null ? [] : [earlierText(text, bytes)];
  });
}

/** Without the texts of an unreadable message, its quotes stay. */
async function earlierTexts(scope: Scope, step: Step, uid: number): Promise<readonly string[]> {
  try {
    return await readEarlierTexts(scope, step, uid);
  } catch (error) {
    if (error instanceof SourceError && error.kind === 'too_large') return [];
    throw error;
  }
}

/** Leaves out what the texts of a reply quote of another document. */
async function omitQuotes(
  scope: Scope,
  cache: FolderCache,
  step: Step,
  {
    texts,
    found,
    header,
  }: {
    readonly texts: Texts;
    readonly found: FoundMessage;
    readonly header: ReadonlyMap<string, string>;
  },
): Promise<Texts> {
  const parentId = parentOf(header);
  if (parentId === undefined) return texts;
  const read = texts.map(([text, whole]) => {
    return { text, whole, own: omitQuote(text, whole), html: readQuotingHtml(text, whole) };
  });
  if (read.every(({ own, whole, html }) => own === whole && html === undefined)) return texts;
  const parent = await findParent(scope, cache, step, found, parentId);
  if (parent === undefined) return texts;
  const earlier = read.some(({ html }) => html !== undefined) ? await earlierTexts(scope, step, parent) : [];
  return read.map(({ text, whole, own, html }) => {
    if (html === undefined) return [text, own];
    return omitHtmlQuotes(text, html, earlier) ?? [text, whole];
  });
}

async function readText(scope: Scope, cache: FolderCache, step: Step, found: FoundMessage): Promise<SourceContent> {
  const { facts, place } = found;
  const maxBytes = scope.maxItemBytes;
  const path = `${place.folder}/${titleOf(facts)}`;
  if (facts.texts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > maxBytes) throw tooLarge(path, maxBytes);
  const query = {
    ...{ uid: true, envelope: true, headers: [...FIELDS, ...THREAD_FIELDS] },
    bodyParts: facts.texts.map(({ part }) => part),
  };
  const rows = await fetchRows(step, [place.uid], query, (row) => row, { timeoutMs: DOWNLOAD_TIMEOUT_MS });
  const message = rows.get(place.uid);
  if (message === undefined) throw new SourceError('gone', `The message ${path} no longer exists.`);
  const texts = facts.texts.map((text) => {
    const bytes = message.bodyParts?.get(text.part);
    if (bytes === undefined || bytes === null) throw incomplete();
    return [text, bytes] as const;
  });
  const header = headerValues(message.headers);
  const bytes = writeMessage(header, await omitQuotes(scope, cache, step, { texts, found, header }));
  if (bytes.length > maxBytes) throw tooLarge(path, maxBytes);
  const fileName = `${titleOf(facts)
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .slice(0, 120)}.eml`;
  const { version } = messageRef(found);
  return { body: bytesOf(bytes), version, fileName, metadata: messageMetadata(found, message, header) };
}

async function readAttachment(
  step: Step,
  found: FoundMessage,
  attachment: AttachmentPart,
  maxBytes: number,
): Promise<SourceContent> {
  const { mailbox, facts, place } = found;
  const { part, fileName, mimeType } = attachment;
  // Base64 needs four bytes for three, and line ends.
  if (attachment.sizeBytes > maxBytes * 1.4) throw tooLarge(fileName, maxBytes);
  // The charset is only in the message, but HTML can name its own.
  const decodeText = mimeType.startsWith('text/') && mimeType !== 'text/html';
  const bytes = await step(
    async (client) => {
      const { content } = await client.download(String(place.uid), part, {
        ...{ uid: true, maxBytes: Math.ceil(maxBytes * 1.4) + 1, chunkSize: CHUNK_BYTES, decodeText },
      });
      if (content === undefined) return undefined;
      const pieces: Buffer[] = [];
      let size = 0;
      for await (const piece of content) {
        size += piece.length;
        if (size > maxBytes) throw tooLarge(fileName, maxBytes);
        pieces.push(piece);
      }
      return Buffer.concat(pieces);
    },
    { timeoutMs: DOWNLOAD_TIMEOUT_MS },
  );
  if (bytes === undefined) throw new SourceError('gone', `The attachment ${fileName} no longer exists.`);
  const metadata = withoutEmpty({
    ...{ mailbox, folder: place.folder, message: titleOf(facts), from: facts.author, sentAt: facts.sentAt },
  });
  const { version } = attachmentRef(found, attachment);
  return { body: bytesOf(bytes), version, fileName, metadata };
}

/** Reads an item where it was listed, or where it is now. */
export async function readItem(
  scope: Scope,
  cache: FolderCache,
  call: ConnectorCall,
  ref: SourceRef,
): Promise<SourceContent> {
  const { maxItemBytes, mailboxes } = scope;
  const name = parseItemId(ref.id);
  const gone = () => new SourceError('gone', `${ref.path} no longer exists.`);
  if (name === undefined || !mailboxes.includes(name.mailbox)) throw gone();
  return withSession(scope, call, name.mailbox, async (step) => {
    const found =
      (await findInPlace(scope, cache, step, { name, version: ref.version })) ??
      (await findMessage(scope, step, name, await listFolders(scope, step)));
    if (found === undefined) throw gone();
    const attachment = found.facts.attachments.find(({ part }) => part === name.part);
    if (name.part === undefined) return readText(scope, cache, step, found);
    if (attachment === undefined) throw gone();
    return readAttachment(step, found, attachment, maxItemBytes);
  });
}
