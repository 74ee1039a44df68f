/** The data of the Confluence emulator. Tests change it with these functions, also during a listing. */

export interface ReadersModel {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
}

export interface SpaceModel {
  readonly id: string;
  readonly key: string;
  name: string;
  status: 'current' | 'archived';
  /** Who can read the space; `anonymous` makes it public. */
  readers: ReadersModel & { readonly anonymous?: boolean };
}

export interface PageModel {
  readonly id: string;
  spaceKey: string;
  parentId: string | undefined;
  title: string;
  status: 'current' | 'trashed' | 'archived' | 'draft';
  version: number;
  authorId: string;
  /** When this version was created, in ISO 8601. */
  when: string;
  storage: string;
  /** True if a broken macro allows only the rendered view. */
  storageFails: boolean;
  labels: readonly string[];
  /** The accounts and groups that can read the page. */
  restriction: ReadersModel | undefined;
}

export interface AttachmentModel {
  readonly id: string;
  readonly pageId: string;
  title: string;
  status: 'current' | 'trashed';
  version: number;
  authorId: string;
  when: string;
  mediaType: string;
  bytes: Uint8Array;
}

export interface AccountModel {
  readonly id: string;
  name: string;
  /** Undefined if the person hides it. */
  email: string | undefined;
  username: string;
}

interface GroupModel {
  readonly id: string;
  readonly name: string;
  members: readonly string[];
}

export interface ConfluenceModel {
  readonly spaces: Map<string, SpaceModel>;
  readonly pages: Map<string, PageModel>;
  readonly attachments: Map<string, AttachmentModel>;
  readonly accounts: Map<string, AccountModel>;
  readonly groups: Map<string, GroupModel>;
  addSpace(key: string, more?: Partial<Pick<SpaceModel, 'name' | 'status' | 'readers'>>): SpaceModel;
  addPage(spaceKey: string, title: string, more?: Partial<Omit<PageModel, 'id' | 'spaceKey' | 'title'>>): PageModel;
  /** Adds a version of a page. */
  edit(id: string, change: Partial<Pick<PageModel, 'title' | 'storage' | 'labels' | 'spaceKey' | 'when'>>): void;
  /** Moves a page to the trash. */
  trash(id: string): void;
  attach(pageId: string, title: string, mediaType: string, bytes: Uint8Array): AttachmentModel;
  addAccount(id: string, name: string, email?: string): AccountModel;
  addGroup(id: string, name: string, members: readonly string[]): GroupModel;
}

export function createConfluenceModel(): ConfluenceModel {
  const spaces = new Map<string, SpaceModel>();
  const pages = new Map<string, PageModel>();
  const attachments = new Map<string, AttachmentModel>();
  const accounts = new Map<string, AccountModel>();
  const groups = new Map<string, GroupModel>();
  let lastId = 100_000;
  const nextId = () => String(++lastId);
  // Versions are a minute apart, so that they differ.
  const now = () => new Date(Date.UTC(2026, 0, 1) + lastId * 1_000).toISOString();

  const model: ConfluenceModel = {
    spaces,
    pages,
    attachments,
    accounts,
    groups,
    addSpace: (key, more = {}) => {
      const space: SpaceModel = { id: nextId(), key, name: `Space ${key}`, status: 'current', readers: {}, ...more };
      spaces.set(key, space);
      return space;
    },
    addPage: (spaceKey, title, more = {}) => {
      const page: PageModel = {
        id: nextId(),
        spaceKey,
        title,
        parentId: undefined,
        status: 'current',
        version: 1,
        authorId: 'account-ada',
        when: now(),
        storage: `<p>${title} greets you.</p>`,
        storageFails: false,
        labels: [],
        restriction: undefined,
        ...more,
      };
      pages.set(page.id, page);
      return page;
    },
    edit: (id, change) => {
      const page = pages.get(id);
      if (page === undefined) throw new Error(`There is no page ${id}.`);
      nextId();
      Object.assign(page, { version: page.version + 1, when: now(), ...change });
    },
    trash: (id) => {
      const page = pages.get(id);
      if (page !== undefined) page.status = 'trashed';
    },
    attach: (pageId, title, mediaType, bytes) => {
      const id = `att${nextId()}`;
      const more = { version: 1, authorId: 'account-ada', when: now(), status: 'current' as const };
      const attachment: AttachmentModel = { id, pageId, title, mediaType, bytes, ...more };
      attachments.set(id, attachment);
      return attachment;
    },
    addAccount: (id, name, email) => {
      const account: AccountModel = { id, name, email, username: id.replace(/^account-/, '') };
      accounts.set(id, account);
      return account;
    },
    addGroup: (id, name, members) => {
      const group: GroupModel = { id, name, members };
      groups.set(id, group);
      return group;
    },
  };
  model.addAccount('account-ada', 'Ada Lovelace', 'ada@example.com');
  return model;
}
