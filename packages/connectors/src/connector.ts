import type { DatabaseQueries } from '#postgresql/query/database-queries';
import type { SourceContent, SourceEvent, SourceGroup, SourcePermissions, SourceRef } from '#source';
import type { SourceErrorKind } from '#source-error';

/** The context of each call. */
export interface ConnectorCall {
  /** Cancels the call, including all its waits. */
  readonly signal: AbortSignal;
}

/** A file to store in a source. */
export interface NewSourceFile {
  readonly path: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly sizeBytes?: number | undefined;
  readonly mimeType?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** One result of a connection test, with a message for the person who configures the connector. */
export interface ConnectionCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** Why a failed check failed. */
  readonly kind?: SourceErrorKind;
}

/**
 * The interface of every source. Methods throw `SourceError` for failures of the source, never
 * errors of its client. A connector keeps no state between calls that a restart would lose, and
 * serves several calls concurrently.
 */
export interface Connector {
  /**
   * Tests the connection step by step and stops at the first step that fails. A failed check is a
   * result, not an error.
   */
  test(call: ConnectorCall): Promise<readonly ConnectionCheck[]>;
  /** Lists all items, page by page on demand; `from` is a checkpoint of an earlier listing. */
  list(call: ConnectorCall, from?: string): AsyncGenerator<SourceEvent, void, void>;
  /**
   * Returns the current cursor of the change feed. Call it before a full listing. Undefined without
   * a feed.
   */
  cursor?(call: ConnectorCall): Promise<string>;
  /**
   * Lists changes since a cursor. Checkpoints are cursors; the last one is for the next call.
   * `complete` is never authoritative. Throws `gone` if the cursor has expired: a full listing is
   * needed.
   */
  changes?(call: ConnectorCall, from: string): AsyncGenerator<SourceEvent, void, void>;
  /**
   * Finds an item by its id (as in `file_filter`); null if the source confirms that it does not
   * exist.
   */
  resolve(call: ConnectorCall, id: string): Promise<SourceRef | null>;
  /**
   * Returns the item id for a name. Undefined if names are ids; otherwise the source accepts
   * several forms.
   */
  idOf?(name: string): string;
  /** Reads an item. Throws `gone` if it was deleted since it was listed. */
  fetch(call: ConnectorCall, ref: SourceRef): Promise<SourceContent>;
  /**
   * Yields the readers of each item. The version of a ref is that of the text that they get to see;
   * undefined if it is unknown, because a newer version failed. Undefined if the source has no
   * permissions, so that `config.principals` applies.
   */
  permissions?(call: ConnectorCall, refs: readonly SourceRef[]): AsyncGenerator<SourcePermissions, void, void>;
  /**
   * True if `permissions` costs no request: a sync then also refreshes the readers of unchanged
   * items that it reads.
   */
  readonly permissionsAreCheap?: boolean;
  /**
   * Yields all groups that `permissions` can return, with their members. Undefined if the source
   * has no groups.
   */
  groups?(call: ConnectorCall): AsyncGenerator<SourceGroup, void, void>;
  /** Writes a file, replacing one with the same path; undefined if the source is read-only. */
  put?(call: ConnectorCall, file: NewSourceFile): Promise<SourceRef>;
  /** Removes an item if it exists. */
  remove?(call: ConnectorCall, id: string): Promise<void>;
  /** SQL queries; undefined if the source is not a database. */
  readonly database?: DatabaseQueries;
  /** Releases connections and timers. */
  close?(): Promise<void>;
}
