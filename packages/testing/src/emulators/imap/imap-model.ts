import { createHash } from 'node:crypto';

/** A message in a folder. */
export interface ImapMessage {
  readonly uid: number;
  readonly raw: Buffer;
  readonly flags: Set<string>;
  readonly internalDate: Date;
  modseq: number;
}

/** Makes messages from their UIDs. */
interface Generator {
  make(uid: number): string;
  flags?(uid: number): readonly string[];
}

/** A message that exists only while it is read. */
class GeneratedMessage implements ImapMessage {
  readonly internalDate: Date;
  readonly uid: number;
  modseq: number;
  readonly #generator: Generator;
  #flags: Set<string> | undefined;

  constructor(uid: number, modseq: number, internalDate: Date, generator: Generator) {
    this.uid = uid;
    this.modseq = modseq;
    this.internalDate = internalDate;
    this.#generator = generator;
  }

  get raw(): Buffer {
    return Buffer.from(this.#generator.make(this.uid));
  }

  get flags(): Set<string> {
    this.#flags ??= new Set(this.#generator.flags?.(this.uid));
    return this.#flags;
  }
}

/** A folder of a mailbox. */
export interface ImapFolder {
  /** With `/` between levels. */
  readonly path: string;
  readonly specialUse?: string | undefined;
  /** False for a folder that exists only as a parent. */
  readonly isSelectable: boolean;
  /** False if the account may not open it; `no` if the server refuses without a reason. */
  canBeOpened: boolean | 'no';
  uidValidity: number;
  uidNext: number;
  highestModseq: number;
  /** Ordered by UID. */
  messages: ImapMessage[];
}

export interface NewFolder {
  readonly specialUse?: string;
  readonly isSelectable?: boolean;
}

/** A mailbox: its folders and their messages. The tests change it while clients read it. */
export class ImapMailbox {
  readonly folders = new Map<string, ImapFolder>();
  #validity = 1_000;

  constructor() {
    this.addFolder('INBOX');
  }

  addFolder(path: string, { specialUse, isSelectable = true }: NewFolder = {}): ImapFolder {
    this.#validity += 1;
    const folder: ImapFolder = {
      ...{ path, specialUse, isSelectable, canBeOpened: true },
      ...{ uidValidity: this.#validity, uidNext: 1, highestModseq: 1, messages: [] },
    };
    this.folders.set(path, folder);
    return folder;
  }

  find(path: string): ImapFolder {
    const folder = this.folders.get(path);
    if (folder === undefined) throw new Error(`The mailbox has no folder ${path}.`);
    return folder;
  }

  /** Renames a folder: its messages keep their UIDs. */
  renameFolder(path: string, to: string): void {
    const folder = this.find(path);
    this.folders.delete(path);
    this.folders.set(to, { ...folder, path: to });
  }

  /** Appends a message and returns its UID. */
  append(
    path: string,
    raw: string | Buffer,
    options: { readonly flags?: readonly string[]; readonly date?: Date } = {},
  ) {
    const folder = this.find(path);
    const uid = folder.uidNext;
    folder.uidNext += 1;
    folder.highestModseq += 1;
    folder.messages.push({
      ...{ uid, raw: Buffer.from(raw), flags: new Set(options.flags ?? []) },
      ...{ internalDate: options.date ?? new Date('2026-01-05T10:11:12Z'), modseq: folder.highestModseq },
    });
    return uid;
  }

  /** Appends messages that are made from their UID whenever a client reads them. */
  generate(path: string, count: number, generator: Generator): void {
    const folder = this.find(path);
    folder.highestModseq += 1;
    const date = new Date('2026-01-05T10:11:12Z');
    for (let n = 0; n < count; n += 1) {
      folder.messages.push(new GeneratedMessage(folder.uidNext, folder.highestModseq, date, generator));
      folder.uidNext += 1;
    }
  }

  copy(path: string, uid: number, to: string): number {
    const message = this.message(path, uid);
    return this.append(to, message.raw, { flags: [...message.flags], date: message.internalDate });
  }

  move(path: string, uid: number, to: string): number {
    const copied = this.copy(path, uid, to);
    this.expunge(path, uid);
    return copied;
  }

  expunge(path: string, uid: number): void {
    const folder = this.find(path);
    folder.messages = folder.messages.filter((message) => message.uid !== uid);
    folder.highestModseq += 1;
  }

  setFlags(path: string, uid: number, flags: readonly string[]): void {
    const folder = this.find(path);
    const message = this.message(path, uid);
    message.flags.clear();
    for (const flag of flags) message.flags.add(flag);
    folder.highestModseq += 1;
    message.modseq = folder.highestModseq;
  }

  /** Numbers the messages of a folder again, as after a restore from a backup. */
  renumber(path: string): void {
    const folder = this.find(path);
    this.#validity += 1;
    folder.uidValidity = this.#validity;
    folder.messages = folder.messages.map((message, at) => ({ ...message, uid: at + 1 }));
    folder.uidNext = folder.messages.length + 1;
  }

  message(path: string, uid: number): ImapMessage {
    const message = this.find(path).messages.find((candidate) => candidate.uid === uid);
    if (message === undefined) throw new Error(`${path} has no message ${uid}.`);
    return message;
  }
}

export interface NewMail {
  readonly subject: string;
  readonly text: string;
  readonly messageId?: string | undefined;
  readonly from?: string;
  readonly to?: string;
  readonly date?: string;
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly attachments?: readonly { readonly name: string; readonly type: string; readonly content: string | Buffer }[];
}

const encodeWord = (text: string) =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

const base64Lines = (content: string | Buffer) => Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');

/** Writes a message as a mail program would (RFC 5322, MIME). */
export function mailOf(mail: NewMail): string {
  const { subject, text, from = 'Ada <ada@example.com>', to = 'support@example.com' } = mail;
  const headers = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${encodeWord(subject)}`,
    `Date: ${mail.date ?? 'Mon, 05 Jan 2026 10:11:12 +0000'}`,
    ...(mail.messageId === undefined ? [] : [`Message-ID: ${mail.messageId}`]),
    ...(mail.inReplyTo === undefined ? [] : [`In-Reply-To: ${mail.inReplyTo}`]),
    ...(mail.references === undefined ? [] : [`References: ${mail.references}`]),
    'MIME-Version: 1.0',
  ];
  const body = ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', text];
  const { attachments = [] } = mail;
  if (attachments.length === 0) return [...headers, ...body, ''].join('\r\n');
  const boundary = `b${createHash('sha256').update(`${subject}${text}`).digest('hex').slice(0, 20)}`;
  const parts = attachments.map(({ name, type, content }) => [
    `--${boundary}`,
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${encodeWord(name)}"`,
    'Content-Transfer-Encoding: base64',
    '',
    base64Lines(content),
  ]);
  return [
    ...headers,
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    ...['', `--${boundary}`],
    ...body,
    ...parts.flat(),
    `--${boundary}--`,
    '',
  ].join('\r\n');
}
