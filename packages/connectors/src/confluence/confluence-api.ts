import type { ConnectorCall } from '#connector';
import type { Entries, UnreadableEntry } from '#http/entries';
import type { Account, Reader, UserReader } from '#readers/reader';

export interface Space {
  readonly id: string;
  readonly key: string;
}

/** A page or an attachment in a list. */
export interface Content {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  /** Absolute; opens the original. */
  readonly url: string | undefined;
  /** ISO 8601. */
  readonly updatedAt: string | undefined;
  /** The author of this version; only the account id if the list does not include the name. */
  readonly author: { readonly id: string | undefined; readonly name: string | undefined };
}

export interface Page extends Content {
  readonly space: Space;
}

export interface Attachment extends Content {
  readonly pageId: string;
  readonly mimeType: string | undefined;
  readonly sizeBytes: number | undefined;
  /** Absolute, on the instance. */
  readonly downloadUrl: URL | undefined;
}

/** One page of a list. `next` is the path of the next page on the instance. */
export interface Slice<T> {
  readonly items: readonly T[];
  /** Unreadable entries, with the platform's ids. */
  readonly unreadable: readonly UnreadableEntry[];
  readonly next: string | undefined;
}

export interface PageBody {
  readonly page: Page;
  /** `storage` is Confluence's XHTML with macros, `view` is rendered HTML. */
  readonly form: 'storage' | 'view';
  readonly markup: string;
  readonly labels: readonly string[];
}

/** A result of a search for changes. */
export type Changed =
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'attachment'; readonly attachment: Attachment; readonly spaceKey: string };

/**
 * Requests to an instance, Cloud or Data Center. All methods throw `SourceError`. Null means that
 * the content does not exist or is hidden; Confluence does not distinguish these.
 */
export interface ConfluenceApi {
  /** Returns all current spaces, or those with these keys. */
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
  /** Returns everyone who can read a space, apart from restricted pages. */
  spaceReaders(call: ConnectorCall, space: Space): Promise<readonly Reader[]>;
  /** Returns the ids of all ancestors of a page. */
  ancestors(call: ConnectorCall, pageId: string): Promise<readonly string[]>;
  /** Returns the readers in the read restriction of this content; undefined if it has none. */
  restrictedTo(call: ConnectorCall, contentId: string): Promise<readonly Reader[] | undefined>;
  groups(call: ConnectorCall): AsyncGenerator<string, void, void>;
  members(call: ConnectorCall, groupId: string): AsyncGenerator<UserReader, void, void>;
  /** Names and emails by account id, without unknown accounts. */
  accounts(call: ConnectorCall, ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
}
