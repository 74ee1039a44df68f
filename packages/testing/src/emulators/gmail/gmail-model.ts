import { createHash } from 'node:crypto';

/*
 * Mailboxes of Gmail.
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages
 * https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.labels
 */

/** A part of a message. Parts with a file name or binary content are read as attachments. */
export interface GmailPart {
  readonly mimeType: string;
  readonly filename?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: string | Uint8Array;
  readonly parts?: readonly GmailPart[];
}

export interface NewGmailMessage {
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments?: readonly GmailPart[];
  /** Replaces the body that `text`, `html` and `attachments` make up. */
  readonly body?: GmailPart;
  /** Without one, the message starts a thread. */
  readonly threadId?: string;
  readonly labelIds?: readonly string[];
  /** Milliseconds since 1970; default: a minute after the last message. */
  readonly date?: number;
  /** Null for a message without one. */
  readonly messageId?: string | null;
}

export interface GmailMessage {
  readonly id: string;
  readonly threadId: string;
  readonly labelIds: readonly string[];
  readonly date: number;
  readonly historyId: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: GmailPart;
}

interface GmailLabel {
  readonly id: string;
  readonly name: string;
  readonly type: 'system' | 'user';
}

type Change = 'messagesAdded' | 'messagesDeleted' | 'labelsAdded' | 'labelsRemoved';

export interface GmailHistory {
  readonly id: number;
  readonly change: Change;
  readonly message: GmailMessage;
  readonly labelIds: readonly string[];
}

export interface GmailMailbox {
  readonly messages: ReadonlyMap<string, GmailMessage>;
  readonly labels: ReadonlyMap<string, GmailLabel>;
  readonly history: readonly GmailHistory[];
  readonly historyId: number;
  /** Older positions have expired. */
  readonly oldestHistory: number;
  /** True if Gmail is off for the user. */
  readonly isOff: boolean;
  deliver(message: NewGmailMessage): GmailMessage;
  label(messageId: string, change: { readonly add?: readonly string[]; readonly remove?: readonly string[] }): void;
  trash(messageId: string): void;
  remove(messageId: string): void;
  /** Creates a label of the user and returns its id. */
  addLabel(name: string): string;
  renameLabel(id: string, name: string): void;
  /** Removes a label of the user from all messages, without a record in the history. */
  removeLabel(id: string): void;
  /** Returns the messages of a thread, oldest first. */
  thread(id: string): readonly GmailMessage[];
  expireHistory(): void;
  turnOff(isOff: boolean): void;
}

const SYSTEM = [
  ...['INBOX', 'SENT', 'DRAFT', 'SPAM', 'TRASH', 'UNREAD', 'STARRED', 'IMPORTANT', 'CHAT'],
  ...['CATEGORY_PERSONAL', 'CATEGORY_SOCIAL', 'CATEGORY_PROMOTIONS', 'CATEGORY_UPDATES', 'CATEGORY_FORUMS'],
];

const START = Date.UTC(2026, 0, 1);

function bodyOf({ text, html, attachments = [] }: NewGmailMessage): GmailPart {
  const plain: GmailPart = {
    mimeType: 'text/plain',
    headers: { 'Content-Type': 'text/plain; charset="UTF-8"' },
    content: text ?? '',
  };
  const rich: GmailPart = {
    mimeType: 'text/html',
    headers: { 'Content-Type': 'text/html; charset="UTF-8"' },
    content: html ?? '',
  };
  const single = html === undefined ? plain : rich;
  const body =
    text !== undefined && html !== undefined ? { mimeType: 'multipart/alternative', parts: [plain, rich] } : single;
  return attachments.length === 0 ? body : { mimeType: 'multipart/mixed', parts: [body, ...attachments] };
}

/** @param key makes the ids of this mailbox differ from those of others */
export function createGmailMailbox(key: string): GmailMailbox {
  const messages = new Map<string, GmailMessage>();
  const labels = new Map<string, GmailLabel>(SYSTEM.map((id) => [id, { id, name: id, type: 'system' }]));
  const history: GmailHistory[] = [];
  let historyId = 1_000;
  let oldestHistory = historyId;
  let isOff = false;
  let lastDate = START;
  let number = 0;
  let lastLabel = 0;

  const newId = () => {
    number += 1;
    return createHash('sha256').update(`${key} ${number}`).digest('hex').slice(0, 16);
  };
  const record = (change: Change, message: GmailMessage, labelIds: readonly string[] = []): void => {
    // Ids increase with gaps.
    historyId += 1 + (historyId % 5);
    const changed = { ...message, historyId };
    if (change === 'messagesDeleted') messages.delete(message.id);
    else messages.set(message.id, changed);
    history.push({ id: historyId, change, message: changed, labelIds });
  };
  const find = (id: string): GmailMessage => {
    const found = messages.get(id);
    if (found === undefined) throw new Error(`There is no message ${id}.`);
    return found;
  };
  const label: GmailMailbox['label'] = (messageId, { add = [], remove = [] }) => {
    const before = find(messageId);
    const added = add.filter((id) => !before.labelIds.includes(id));
    const removed = remove.filter((id) => before.labelIds.includes(id));
    const withAdded = { ...before, labelIds: [...before.labelIds, ...added] };
    if (added.length > 0) record('labelsAdded', withAdded, added);
    const after = { ...withAdded, labelIds: withAdded.labelIds.filter((id) => !removed.includes(id)) };
    if (removed.length > 0) record('labelsRemoved', after, removed);
  };

  return {
    messages,
    labels,
    history,
    get historyId() {
      return historyId;
    },
    get oldestHistory() {
      return oldestHistory;
    },
    get isOff() {
      return isOff;
    },
    deliver: (message) => {
      const id = newId();
      lastDate = Math.max(lastDate, message.date ?? lastDate + 60_000);
      const {
        subject = 'A message',
        from = 'Sender <sender@else.example>',
        to,
        cc,
        messageId = `<${id}@mail.example>`,
      } = message;
      const headers = {
        ...(messageId === null ? {} : { 'Message-ID': messageId }),
        From: from,
        ...(to === undefined ? {} : { To: to }),
        ...(cc === undefined ? {} : { Cc: cc }),
        Subject: subject,
      };
      const labelIds = message.labelIds ?? ['INBOX', 'UNREAD'];
      const { threadId = id, date = lastDate } = message;
      const body = message.body ?? bodyOf(message);
      record('messagesAdded', { id, threadId, labelIds, date, historyId, headers, body });
      return find(id);
    },
    label,
    trash: (messageId) => label(messageId, { add: ['TRASH'], remove: ['INBOX'] }),
    remove: (messageId) => record('messagesDeleted', find(messageId)),
    addLabel: (name) => {
      lastLabel += 1;
      const id = `Label_${lastLabel}`;
      labels.set(id, { id, name, type: 'user' });
      return id;
    },
    renameLabel: (id, name) => void labels.set(id, { id, name, type: 'user' }),
    removeLabel: (id) => {
      labels.delete(id);
      for (const message of messages.values()) {
        messages.set(message.id, { ...message, labelIds: message.labelIds.filter((other) => other !== id) });
      }
    },
    thread: (id) => [...messages.values()].filter(({ threadId }) => threadId === id).sort((a, b) => a.date - b.date),
    expireHistory: () => {
      historyId += 1;
      oldestHistory = historyId;
    },
    turnOff: (off) => {
      isOff = off;
    },
  };
}
