import { createHash } from 'node:crypto';
import { createMailModel, type MailModel } from '#emulators/microsoft-365/mail-model';
import { createTeamsModel, type TeamsModel } from '#emulators/microsoft-365/teams-model';

export interface GraphUser {
  readonly id: string;
  readonly displayName: string;
  readonly mail: string | null;
  readonly userPrincipalName: string;
  readonly userType: 'Member' | 'Guest';
  readonly accountEnabled: boolean;
}

export interface GraphGroup {
  readonly id: string;
  readonly displayName: string;
  /** True for a Microsoft 365 group. */
  readonly isUnified: boolean;
  readonly securityEnabled: boolean;
  readonly mail: string | null;
  /** Users and groups. */
  readonly members: readonly string[];
  readonly owners: readonly string[];
}

export interface GraphSite {
  readonly id: string;
  readonly host: string;
  /** Without a slash at the end; empty for the root site. */
  readonly path: string;
  /** The Microsoft 365 group of the site. */
  readonly groupId: string | undefined;
}

export interface GraphDrive {
  readonly id: string;
  readonly driveType: 'documentLibrary' | 'business';
  readonly siteId: string | undefined;
  readonly userId: string | undefined;
  readonly rootId: string;
}

type ItemKind = 'root' | 'folder' | 'file' | 'package' | 'shortcut';

export interface GraphItem {
  readonly id: string;
  readonly driveId: string;
  readonly kind: ItemKind;
  readonly name: string;
  readonly parentId: string | undefined;
  readonly content: Uint8Array;
  readonly mimeType: string;
  readonly version: number;
  readonly modified: string;
  readonly isDeleted: boolean;
  /** The position of the last change in the drive. */
  readonly change: number;
  /** Own permissions; undefined if they are inherited. */
  readonly permissions: readonly object[] | undefined;
}

interface NewGraphItem {
  readonly kind?: Exclude<ItemKind, 'root'>;
  readonly parentId?: string;
  readonly content?: string | Uint8Array;
  readonly mimeType?: string;
  readonly permissions?: readonly object[];
}

/** The data of a tenant. */
export interface GraphModel {
  readonly users: ReadonlyMap<string, GraphUser>;
  readonly groups: ReadonlyMap<string, GraphGroup>;
  readonly sites: ReadonlyMap<string, GraphSite>;
  readonly drives: ReadonlyMap<string, GraphDrive>;
  readonly items: ReadonlyMap<string, GraphItem>;
  readonly teams: TeamsModel;
  readonly mail: MailModel;
  /** The position of the last change. */
  readonly changes: number;
  addUser(name: string, user?: Partial<Omit<GraphUser, 'id'>>): GraphUser;
  editUser(id: string, user: Partial<Omit<GraphUser, 'id'>>): void;
  removeUser(id: string): void;
  addGroup(name: string, group?: Partial<Omit<GraphGroup, 'id' | 'displayName'>>): GraphGroup;
  editGroup(id: string, group: Partial<Omit<GraphGroup, 'id'>>): void;
  addSite(path: string, site?: Partial<Pick<GraphSite, 'groupId'>>): GraphSite;
  removeSite(id: string): void;
  addLibrary(siteId: string): GraphDrive;
  addOneDrive(userId: string): GraphDrive;
  removeDrive(id: string): void;
  /** Adds an item to the root or a folder of a drive. */
  add(driveId: string, name: string, item?: NewGraphItem): GraphItem;
  write(id: string, content: string | Uint8Array): void;
  rename(id: string, name: string): void;
  /** Moves an item to a folder of its drive. Its id stays. */
  move(id: string, parentId: string): void;
  /** Deletes an item and everything in it. */
  remove(id: string): void;
  /** Sets own permissions; undefined inherits them again. */
  share(id: string, permissions: readonly object[] | undefined): void;
  /** Returns the names of the folders above an item and its own, from the root. */
  pathOf(item: GraphItem): readonly string[];
  itemsOf(driveId: string): readonly GraphItem[];
}

/** Returns the same UUID for the same text. */
const uuidOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export function createGraphModel(host: string): GraphModel {
  const users = new Map<string, GraphUser>();
  const groups = new Map<string, GraphGroup>();
  const sites = new Map<string, GraphSite>();
  const drives = new Map<string, GraphDrive>();
  const items = new Map<string, GraphItem>();
  const byDrive = new Map<string, Set<string>>();
  let changes = 0;
  let created = 0;
  let clock = Date.parse('2026-03-01T08:00:00Z');

  const bytes = (content: string | Uint8Array): Uint8Array =>
    typeof content === 'string' ? Buffer.from(content) : content;
  const number = (kind: string) => {
    created += 1;
    return `${kind} ${created}`;
  };
  const put = (item: Omit<GraphItem, 'change'>): GraphItem => {
    changes += 1;
    const stored = { ...item, change: changes };
    items.set(item.id, stored);
    byDrive.get(item.driveId)?.add(item.id);
    return stored;
  };
  const known = (id: string): GraphItem => {
    const item = items.get(id);
    if (item === undefined) throw new Error(`There is no item ${id}.`);
    return item;
  };
  const edit = (id: string, change: Partial<GraphItem>): void => {
    const item = known(id);
    clock += 1_000;
    put({ ...item, version: item.version + 1, modified: new Date(clock).toISOString(), ...change });
  };
  const itemsOf = (driveId: string) => [...(byDrive.get(driveId) ?? [])].map(known);
  const addDrive = (drive: Pick<GraphDrive, 'driveType' | 'siteId' | 'userId'>): GraphDrive => {
    const unique = uuidOf(number('drive')).replaceAll('-', '');
    const id = `b!${unique}`;
    const rootId = `01${unique.slice(0, 20).toUpperCase()}`;
    drives.set(id, { ...drive, id, rootId });
    byDrive.set(id, new Set());
    put({
      ...{ id: rootId, driveId: id, kind: 'root', name: 'root', parentId: undefined, content: bytes('') },
      ...{ mimeType: '', version: 1, modified: new Date(clock).toISOString(), isDeleted: false, permissions: [] },
    });
    return { ...drive, id, rootId };
  };
  const removeDrive = (id: string) => {
    drives.delete(id);
    for (const item of itemsOf(id)) items.delete(item.id);
    byDrive.delete(id);
  };
  const remove = (id: string): void => {
    for (const child of itemsOf(known(id).driveId)) if (child.parentId === id && !child.isDeleted) remove(child.id);
    edit(id, { isDeleted: true });
  };

  return {
    users,
    groups,
    sites,
    drives,
    items,
    teams: createTeamsModel(uuidOf),
    mail: createMailModel(uuidOf),
    get changes() {
      return changes;
    },
    addUser: (name, user = {}) => {
      const id = uuidOf(number('user'));
      const address = `${name.toLowerCase()}@example.com`;
      const added: GraphUser = {
        ...{ id, displayName: name, mail: address, userPrincipalName: address, userType: 'Member' },
        ...{ accountEnabled: true, ...user },
      };
      users.set(id, added);
      return added;
    },
    editUser: (id, user) => {
      const before = users.get(id);
      if (before !== undefined) users.set(id, { ...before, ...user });
    },
    removeUser: (id) => void users.delete(id),
    addGroup: (displayName, group = {}) => {
      const id = uuidOf(number('group'));
      const added = {
        id,
        displayName,
        isUnified: false,
        securityEnabled: true,
        mail: null,
        members: [],
        owners: [],
        ...group,
      };
      groups.set(id, added);
      return added;
    },
    editGroup: (id, group) => {
      const before = groups.get(id);
      if (before !== undefined) groups.set(id, { ...before, ...group });
    },
    addSite: (path, { groupId } = {}) => {
      const id = `${host},${uuidOf(number('site'))},${uuidOf(number('web'))}`;
      const site = { id, host, path, groupId };
      sites.set(id, site);
      return site;
    },
    removeSite: (id) => {
      sites.delete(id);
      for (const drive of [...drives.values()]) if (drive.siteId === id) removeDrive(drive.id);
    },
    addLibrary: (siteId) => addDrive({ driveType: 'documentLibrary', siteId, userId: undefined }),
    addOneDrive: (userId) => addDrive({ driveType: 'business', siteId: undefined, userId }),
    removeDrive,
    add: (driveId, name, item = {}) => {
      const drive = drives.get(driveId);
      if (drive === undefined) throw new Error(`There is no drive ${driveId}.`);
      const id = `01${uuidOf(number('item')).replaceAll('-', '').toUpperCase()}`;
      clock += 1_000;
      return put({
        ...{ id, driveId, name, kind: item.kind ?? 'file', parentId: item.parentId ?? drive.rootId },
        ...{ content: bytes(item.content ?? ''), mimeType: item.mimeType ?? 'text/plain', version: 1 },
        ...{ modified: new Date(clock).toISOString(), isDeleted: false, permissions: item.permissions },
      });
    },
    write: (id, content) => edit(id, { content: bytes(content) }),
    rename: (id, name) => edit(id, { name }),
    move: (id, parentId) => edit(id, { parentId }),
    remove,
    share: (id, permissions) => {
      const item = known(id);
      put({ ...item, permissions });
    },
    pathOf: (item) => {
      const names: string[] = [];
      for (let at: GraphItem | undefined = item; at !== undefined && at.kind !== 'root'; ) {
        names.unshift(at.name);
        at = at.parentId === undefined ? undefined : items.get(at.parentId);
      }
      return names;
    },
    itemsOf,
  };
}
