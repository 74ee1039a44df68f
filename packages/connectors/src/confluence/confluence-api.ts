import type { ConnectorCall } from '../connector.ts';
import type { Entries, UnreadableEntry } from '../http/entries.ts';

export interface Space {
  readonly id: string;
  readonly key: string;
}

/** A page or an attachment as lists show it. */
export interface Content {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  /** Absolute; opens the original. */
  readonly url: string | undefined;
  /** ISO 8601. */
  readonly updatedAt: string | undefined;
  /** Who made this version, by account id where the list does not give the name. */
  readonly author: { readonly id: string | undefined; readonly name: string | undefined };
}

export interface Page extends Content {
  readonly space: Space;
}

export interface Attachment extends Content {
  readonly pageId: string;
  readonly mimeType: string | undefined;
  readonly sizeBytes: number | undefined;
  /** Absolute, on the instance itself. */
  readonly downloadUrl: URL | undefined;
}

/** A page of a list; `next` is what the platform gave to go on with, as a path on the instance. */
export interface Slice<T> {
  readonly items: readonly T[];
  /** Entries that could not be read, with the platform's ids. */
  readonly unreadable: readonly UnreadableEntry[];
  readonly next: string | undefined;
}

export interface PageBody {
  readonly page: Page;
  /** `storage` is Confluence's own XHTML with its macros, `view` is rendered HTML. */
  readonly form: 'storage' | 'view';
  readonly markup: string;
  readonly labels: readonly string[];
}

/** An account; the e-mail where the answer that named it showed one. */
export interface UserReader {
  readonly kind: 'user';
  readonly id: string;
  readonly email?: string | undefined;
}

/** Whom a space or a restriction lets read. */
export type Reader = { readonly kind: 'everyone' } | UserReader | { readonly kind: 'group'; readonly id: string };

export interface Account {
  readonly name: string | undefined;
  /** Absent where the person or the site hides it. */
  readonly email: string | undefined;
}

/** A result of a search for changes. */
export type Changed =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'attachment'; readonly attachment: Attachment; readonly spaceKey: string };

/**
 * What the connector asks of an instance, Cloud or Data Center. Everything throws `SourceError`; null stands for what the instance says
 * does not exist (or does not show, which it does not tell apart).
 */
export interface ConfluenceApi {
  /** All spaces that are in use, or those with these keys that exist. */
  spaces(call: ConnectorCall, keys: readonly string[]): Promise<Entries<Space>>;
  space(call: ConnectorCall, id: string): Promise<Space | null>;
  pages(call: ConnectorCall, space: Space, next?: string): Promise<Slice<Page>>;
  attachments(call: ConnectorCall, pageId: string, next?: string): Promise<Slice<Attachment>>;
  page(call: ConnectorCall, id: string): Promise<Page | null>;
  body(call: ConnectorCall, id: string, form: PageBody['form']): Promise<PageBody | null>;
  attachment(call: ConnectorCall, id: string): Promise<Attachment | null>;
  download(call: ConnectorCall, url: URL, what: string): Promise<AsyncIterable<Uint8Array>>;
  /** By CQL. */
  search(call: ConnectorCall, cql: string, next?: string): Promise<Slice<Changed>>;
  /** Who may read a space, its restricted pages aside. */
  spaceReaders(call: ConnectorCall, space: Space): Promise<readonly Reader[]>;
  /** Ids of everything above a page. */
  ancestors(call: ConnectorCall, pageId: string): Promise<readonly string[]>;
  /** To whom this one content is restricted; undefined where it is not restricted itself. */
  restrictedTo(call: ConnectorCall, contentId: string): Promise<readonly Reader[] | undefined>;
  groups(call: ConnectorCall): AsyncGenerator<string, void, void>;
  members(call: ConnectorCall, groupId: string): AsyncGenerator<UserReader, void, void>;
  /** What is known of accounts; one that is not known is left out. */
  accounts(call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
}
