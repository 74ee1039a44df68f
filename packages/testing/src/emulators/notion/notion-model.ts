import { createHash } from 'node:crypto';

/** The id of the object with this name. */
export function notionId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

/** A block. `content` is the value of the field with the name of its type. */
export interface NotionBlock {
  readonly id: string;
  readonly type: string;
  readonly content: Readonly<Record<string, unknown>>;
  readonly children: readonly NotionBlock[];
}

export type NotionParent =
  | { readonly type: 'workspace' }
  | { readonly type: 'page_id'; readonly page_id: string }
  | { readonly type: 'data_source_id'; readonly data_source_id: string; readonly database_id: string };

export interface NotionPage {
  readonly id: string;
  readonly title: string;
  readonly parent: NotionParent;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly blocks: readonly NotionBlock[];
  readonly inTrash: boolean;
  readonly lastEdited: string;
  readonly editor: string;
  /** False if search does not find it yet. */
  readonly searchable: boolean;
}

export interface NotionDatabase {
  readonly id: string;
  readonly title: string;
  readonly parent: NotionParent;
  readonly dataSources: readonly string[];
  readonly searchable: boolean;
}

/** The workspace of the emulator. The id of a page or database is `notionId` of its name. */
export interface NotionModel {
  readonly pages: ReadonlyMap<string, NotionPage>;
  readonly databases: ReadonlyMap<string, NotionDatabase>;
  page(name: string, page?: Partial<Omit<NotionPage, 'id'>>): string;
  /** Adds a database with one data source. Returns both ids. */
  database(name: string, database?: Partial<Pick<NotionDatabase, 'parent' | 'searchable'>>): NotionDataSource;
  trash(id: string): void;
  /** Removes the access of the integration to a page. */
  remove(id: string): void;
  findBlock(id: string): NotionBlock | undefined;
}

export interface NotionDataSource {
  readonly databaseId: string;
  readonly dataSourceId: string;
  /** Properties, for rows. */
  readonly parent: NotionParent;
}

export const richText = (text: string) => [
  { type: 'text', text: { content: text, link: null }, plain_text: text, href: null, annotations: {} },
];

let blockNumber = 0;

/** A paragraph, or a block with the given `content`. */
export function notionBlock(
  type: string,
  content: string | Readonly<Record<string, unknown>>,
  children: readonly NotionBlock[] = [],
): NotionBlock {
  blockNumber += 1;
  const payload = typeof content === 'string' ? { rich_text: richText(content), color: 'default' } : content;
  return { id: notionId(`block ${blockNumber}`), type, content: payload, children };
}

const WORKSPACE: NotionParent = { type: 'workspace' };

export function createNotionModel(): NotionModel {
  const pages = new Map<string, NotionPage>();
  const databases = new Map<string, NotionDatabase>();
  let clock = Date.parse('2026-03-01T08:00:00Z');

  const search = (blocks: readonly NotionBlock[], id: string): NotionBlock | undefined => {
    for (const block of blocks) {
      const found = block.id === id ? block : search(block.children, id);
      if (found !== undefined) return found;
    }
    return undefined;
  };

  return {
    pages,
    databases,
    page: (name, page = {}) => {
      const id = notionId(name);
      // Notion rounds edit times down to the minute.
      clock += 60_000;
      pages.set(id, {
        title: name,
        parent: WORKSPACE,
        properties: {},
        blocks: [notionBlock('paragraph', `Text of ${name}`)],
        inTrash: false,
        searchable: true,
        editor: 'Ada Lovelace',
        lastEdited: new Date(clock).toISOString(),
        ...page,
        id,
      });
      return id;
    },
    database: (name, { parent = WORKSPACE, searchable = true } = {}) => {
      const databaseId = notionId(name);
      const dataSourceId = notionId(`source of ${name}`);
      databases.set(databaseId, { id: databaseId, title: name, parent, searchable, dataSources: [dataSourceId] });
      return {
        databaseId,
        dataSourceId,
        parent: { type: 'data_source_id', data_source_id: dataSourceId, database_id: databaseId },
      };
    },
    trash: (id) => {
      const page = pages.get(id);
      if (page !== undefined) pages.set(id, { ...page, inTrash: true });
    },
    remove: (id) => void pages.delete(id),
    findBlock: (id) => {
      for (const page of pages.values()) {
        const found = search(page.blocks, id);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}
