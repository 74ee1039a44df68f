import { createHash } from 'node:crypto';

const DIGEST_CHARS = 20;
const DIGEST = `[0-9a-f]{${DIGEST_CHARS}}`;
const PART = '[1-9]\\d{0,4}(?:\\.[1-9]\\d{0,4}){0,40}';

/** `<mailbox>/<Message-ID>~<digest>`, or with `!<received>-<bytes>` in place of the Message-ID. */
const FORM = new RegExp(
  `^(?<mailbox>[^/]+)/(?<key>(?:!(?<received>\\d{8}T\\d{6}Z)-(?<size>\\d{1,15})|(?<messageId>[^/~!]+))~${DIGEST})(?:/(?<part>${PART}))?$`,
);

/** Characters of a Message-ID that can be searched for. */
const SEARCHABLE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

const encode = (text: string) =>
  text.replace(/[^A-Za-z0-9._@+=$*-]/g, (char) => encodeURIComponent(char).replace(/[~!]/g, hex));
const hex = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** What identifies a message in every folder, and after its folder was renumbered. */
export interface MessageIdentity {
  /** Header fields as the sender wrote them. */
  readonly messageId: string | undefined;
  readonly date: string | undefined;
  readonly from: string | undefined;
  readonly subject: string | undefined;
  /** From the server. */
  readonly receivedAt: Date | undefined;
  readonly sizeBytes: number;
}

/** How to search for a message. */
type MessageSearch =
  | { readonly by: 'messageId'; readonly messageId: string }
  | { readonly by: 'received'; readonly receivedAt: Date; readonly sizeBytes: number };

/** The parts of an item's id. */
export interface ItemName {
  readonly mailbox: string;
  /** The message. */
  readonly key: string;
  readonly search: MessageSearch;
  /** The number of an attachment's part. */
  readonly part: string | undefined;
}

const compactTime = (date: Date): string => `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;

const parseTime = (text: string): Date =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Returns a Message-ID that a search finds. Some servers decode `=?` before they search. */
export function searchableId(messageId: string | undefined): string | undefined {
  const id = /<([^<>\s]+)>/.exec(messageId ?? '')?.[1];
  return id !== undefined && SEARCHABLE.test(id) && !id.includes('=?') ? id : undefined;
}

/**
 * Returns the key of a message; undefined if nothing identifies it. Senders choose all header fields,
 * so the time of arrival and the size also count: otherwise a forged message could take the place of
 * another one.
 */
export function messageKey(identity: MessageIdentity): string | undefined {
  const { messageId = null, date = null, from = null, subject = null, receivedAt, sizeBytes } = identity;
  const received = receivedAt === undefined ? null : compactTime(receivedAt);
  const digest = createHash('sha256')
    .update(JSON.stringify([messageId, date, from, subject, received, sizeBytes]))
    .digest('hex')
    .slice(0, DIGEST_CHARS);
  const id = searchableId(identity.messageId);
  if (id !== undefined) return `${encode(id)}~${digest}`;
  return received === null ? undefined : `!${received}-${sizeBytes}~${digest}`;
}

/** Returns the digest in a key in few bytes, to remember a million of them. */
export const compactKey = (key: string): string => Buffer.from(key.slice(-DIGEST_CHARS), 'hex').toString('latin1');

export const itemId = (mailbox: string, key: string, part?: string): string =>
  `${encodeURIComponent(mailbox)}/${key}${part === undefined ? '' : `/${part}`}`;

/** Parses an id; undefined if it does not name an item. */
export function parseItemId(id: string): ItemName | undefined {
  const { mailbox: encoded = '', key, messageId, received, size, part } = FORM.exec(id)?.groups ?? {};
  const mailbox = decode(encoded);
  if (mailbox === undefined || key === undefined) return undefined;
  if (messageId !== undefined) {
    const text = decode(messageId);
    return text === undefined || !SEARCHABLE.test(text)
      ? undefined
      : { mailbox, key, part, search: { by: 'messageId', messageId: text } };
  }
  const receivedAt = parseTime(received ?? '');
  if (Number.isNaN(receivedAt.getTime())) return undefined;
  return { mailbox, key, part, search: { by: 'received', receivedAt, sizeBytes: Number(size) } };
}

// --- Versions ---

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** Where a message is. */
export interface MessagePlace {
  readonly folder: string;
  readonly uidValidity: string;
  readonly uid: number;
}

/** A place as it is stored in a version. */
export interface StoredPlace {
  isFolder(path: string): boolean;
  readonly uidValidity: string;
  readonly uid: number;
}

/** Returns the version of a message or an attachment. Messages never change in their place. */
export function versionOf({ folder, uidValidity, uid }: MessagePlace, labels?: readonly string[]): string {
  const place = `${digestOf(folder)}.${uidValidity}.${uid}`;
  return labels === undefined ? place : `${place}.${digestOf(JSON.stringify(labels))}`;
}

export function placeOfVersion(version: string | undefined): StoredPlace | undefined {
  const found = /^([0-9a-f]{10})\.(\d{1,20})\.(\d{1,10})(?:\.[0-9a-f]{10})?$/.exec(version ?? '');
  if (found === null) return undefined;
  const [, digest, uidValidity = '', uid] = found;
  return { isFolder: (path) => digestOf(path) === digest, uidValidity, uid: Number(uid) };
}
