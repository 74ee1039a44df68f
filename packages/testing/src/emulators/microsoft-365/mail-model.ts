/** The names under which the folders of every mailbox can be requested. */
export const WELL_KNOWN = ['inbox', 'drafts', 'sentitems', 'deleteditems', 'junkemail', 'outbox', 'archive'] as const;
type WellKnown = (typeof WELL_KNOWN)[number];

const ENGLISH = ['Inbox', 'Drafts', 'Sent Items', 'Deleted Items', 'Junk Email', 'Outbox', 'Archive'] as const;

export interface GraphMailFolder {
  readonly id: string;
  readonly userId: string;
  readonly displayName: string;
  readonly parentId: string | undefined;
  readonly wellKnown: WellKnown | undefined;
  readonly isSearch: boolean;
}

export interface GraphMailAttachment {
  readonly id: string;
  readonly kind: 'file' | 'item' | 'reference';
  readonly name: string;
  readonly contentType: string | null;
  readonly isInline: boolean;
  /** An attached item has its MIME format. */
  readonly content: string | Uint8Array;
}

export interface GraphMail {
  /** The immutable id. */
  readonly id: string;
  readonly userId: string;
  readonly folderId: string;
  readonly subject: string;
  readonly body: string;
  readonly contentType: 'html' | 'text';
  /** Without the quotes; undefined for the body. */
  readonly uniqueBody: string | undefined;
  readonly received: string;
  readonly attachments: readonly GraphMailAttachment[];
  /** Changes with each change of the message, also of its folder. */
  readonly version: number;
  /** The position of the last change. */
  readonly change: number;
  /** The position of the last change that is not only that of being read. */
  readonly contentChange: number;
  readonly isRead: boolean;
  /** The positions at which it left folders. */
  readonly left: ReadonlyMap<string, number>;
  /** Permanently deleted. */
  readonly isGone: boolean;
}

type NewMail = Partial<Pick<GraphMail, 'body' | 'contentType' | 'uniqueBody' | 'received' | 'folderId'>> & {
  readonly attachments?: readonly Partial<Omit<GraphMailAttachment, 'id'>>[];
};

/** The mailboxes of a tenant. */
export interface MailModel {
  readonly folders: ReadonlyMap<string, GraphMailFolder>;
  readonly messages: ReadonlyMap<string, GraphMail>;
  /** The position of the last change. */
  readonly changes: number;
  hasMailbox(userId: string): boolean;
  /** Adds a mailbox with the well-known folders, whose names depend on its language. */
  addMailbox(userId: string, names?: readonly string[]): void;
  removeMailbox(userId: string): void;
  wellKnown(userId: string, name: WellKnown): GraphMailFolder;
  foldersOf(userId: string, parentId: string | undefined): readonly GraphMailFolder[];
  addFolder(userId: string, displayName: string, parentId?: string, isSearch?: boolean): GraphMailFolder;
  renameFolder(id: string, displayName: string): void;
  /** Moves a folder to another one, or to the root. */
  moveFolder(id: string, parentId: string | undefined): void;
  /** Delivers a message to the inbox, or another folder. */
  deliver(userId: string, subject: string, mail?: NewMail): GraphMail;
  edit(id: string, mail: Partial<Pick<GraphMail, 'subject' | 'body' | 'uniqueBody'>>): void;
  /** Marks a message as read or unread, which changes neither its content nor its change key. */
  toggleRead(id: string): void;
  move(id: string, folderId: string): void;
  /** Moves a message to Deleted Items. */
  remove(id: string): void;
  /** Deletes a message permanently. */
  purge(id: string): void;
  messagesOf(userId: string): readonly GraphMail[];
}

export function createMailModel(uuidOf: (text: string) => string): MailModel {
  const folders = new Map<string, GraphMailFolder>();
  const messages = new Map<string, GraphMail>();
  const mailboxes = new Set<string>();
  let changes = 0;
  let created = 0;
  let clock = Date.parse('2026-03-01T08:00:00Z');

  const idOf = (prefix: string) => {
    created += 1;
    return `${prefix}${Buffer.from(uuidOf(`${prefix} ${created}`)).toString('base64url')}=`;
  };
  const known = (id: string): GraphMail => {
    const message = messages.get(id);
    if (message === undefined) throw new Error(`There is no message ${id}.`);
    return message;
  };
  const put = (message: GraphMail): GraphMail => {
    changes += 1;
    const stored = { ...message, version: message.version + 1, change: changes, contentChange: changes };
    messages.set(message.id, stored);
    return stored;
  };
  const leave = (message: GraphMail, folderId: string): ReadonlyMap<string, number> => {
    const left = new Map(message.left).set(message.folderId, changes + 1);
    left.delete(folderId);
    return left;
  };
  const move = (id: string, folderId: string) => {
    const message = known(id);
    if (message.folderId !== folderId) put({ ...message, folderId, left: leave(message, folderId) });
  };
  const addFolder = (folder: Omit<GraphMailFolder, 'id'>): GraphMailFolder => {
    const id = idOf('AQMk');
    folders.set(id, { ...folder, id });
    return { ...folder, id };
  };
  const wellKnown = (userId: string, name: WellKnown): GraphMailFolder => {
    const found = [...folders.values()].find((folder) => folder.userId === userId && folder.wellKnown === name);
    if (found === undefined) throw new Error(`The mailbox ${userId} has no folder ${name}.`);
    return found;
  };
  const editFolder = (id: string, fields: Partial<GraphMailFolder>) => {
    const folder = folders.get(id);
    if (folder !== undefined) folders.set(id, { ...folder, ...fields });
  };

  return {
    folders,
    messages,
    get changes() {
      return changes;
    },
    hasMailbox: (userId) => mailboxes.has(userId),
    addMailbox: (userId, names = ENGLISH) => {
      mailboxes.add(userId);
      for (const [at, name] of WELL_KNOWN.entries()) {
        addFolder({ userId, displayName: names[at] ?? name, parentId: undefined, wellKnown: name, isSearch: false });
      }
    },
    removeMailbox: (userId) => void mailboxes.delete(userId),
    wellKnown,
    foldersOf: (userId, parentId) =>
      [...folders.values()].filter((folder) => folder.userId === userId && folder.parentId === parentId),
    addFolder: (userId, displayName, parentId, isSearch = false) =>
      addFolder({ userId, displayName, parentId, wellKnown: undefined, isSearch }),
    renameFolder: (id, displayName) => editFolder(id, { displayName }),
    moveFolder: (id, parentId) => editFolder(id, { parentId }),
    deliver: (userId, subject, { attachments = [], ...mail } = {}) => {
      clock += 60_000;
      return put({
        ...{ id: idOf('AAkA'), userId, folderId: mail.folderId ?? wellKnown(userId, 'inbox').id, subject },
        ...{ body: '<p>Hello</p>', contentType: 'html', uniqueBody: undefined },
        ...{ received: new Date(clock).toISOString(), ...mail },
        attachments: attachments.map((attachment) => ({
          ...{ kind: 'file', name: 'file.txt', contentType: 'text/plain', isInline: false, content: '' },
          ...attachment,
          id: idOf('ATT'),
        })),
        ...{ version: 0, change: 0, contentChange: 0, isRead: false, left: new Map(), isGone: false },
      });
    },
    edit: (id, mail) => void put({ ...known(id), ...mail }),
    toggleRead: (id) => {
      const message = known(id);
      changes += 1;
      messages.set(id, { ...message, isRead: !message.isRead, change: changes });
    },
    move,
    remove: (id) => move(id, wellKnown(known(id).userId, 'deleteditems').id),
    purge: (id) => {
      const message = known(id);
      put({ ...message, isGone: true, left: leave(message, '') });
    },
    messagesOf: (userId) => [...messages.values()].filter((message) => message.userId === userId && !message.isGone),
  };
}
