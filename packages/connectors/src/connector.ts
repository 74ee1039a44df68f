import type { DatabaseQueries } from './postgresql/query/database-queries.ts';
import type { SourceContent, SourceEvent, SourceGroup, SourcePermissions, SourceRef } from './source.ts';

/** What a connector is given with each call. */
export interface ConnectorCall {
  /** Ends the call; every wait within it obeys. */
  readonly signal: AbortSignal;
}

/** A file to be put into a source. */
export interface NewSourceFile {
  readonly path: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly sizeBytes?: number | undefined;
  readonly mimeType?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** One thing that a connection test looked at, in words for the person who set the connector up. */
export interface ConnectionCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
}

/**
 * The one way to every source. Methods throw `SourceError` for what the source says and let nothing else of its client through.
 * A connector holds no state between calls that a restart would miss; it serves several calls at once.
 */
export interface Connector {
  /** Looks at the connection step by step and stops at the first step that fails. What the source refuses is a check, not an error. */
  test(call: ConnectorCall): Promise<readonly ConnectionCheck[]>;
  /** Everything there is, a page at a time as it is pulled; `from` is a checkpoint of an earlier listing. */
  list(call: ConnectorCall, from?: string): AsyncGenerator<SourceEvent, void, void>;
  /** Where the source's change feed stands now, to be read before a full listing begins; absent where there is no feed. */
  cursor?(call: ConnectorCall): Promise<string>;
  /**
   * What changed since a cursor. Its checkpoints are cursors, the last one for the next time; `complete` is never authoritative. Throws
   * `gone` where the source has forgotten the cursor: only a full listing helps.
   */
  changes?(call: ConnectorCall, from: string): AsyncGenerator<SourceEvent, void, void>;
  /** One item by its id (the form that `file_filter` takes), or null where the source confirms that it does not exist. */
  resolve(call: ConnectorCall, id: string): Promise<SourceRef | null>;
  /** The id of the item that a person names so, where a source knows more than one form of names; absent where the name is the id. */
  idOf?(name: string): string;
  /** The item's content. Throws `gone` where it vanished since it was listed. */
  fetch(call: ConnectorCall, ref: SourceRef): Promise<SourceContent>;
  /** Who may read the items, one answer an item; absent where the source does not say, and `config.principals` holds. */
  permissions?(call: ConnectorCall, refs: readonly SourceRef[]): AsyncGenerator<SourcePermissions, void, void>;
  /** Every group that `permissions` may name, with its members; absent where it names none. */
  groups?(call: ConnectorCall): AsyncGenerator<SourceGroup, void, void>;
  /** Writes a file, replacing one of the same path; absent where the source is read-only. */
  put?(call: ConnectorCall, file: NewSourceFile): Promise<SourceRef>;
  /** Removes an item; one that is not there is no error. */
  remove?(call: ConnectorCall, id: string): Promise<void>;
  /** Questions in SQL; absent where the source is no database. */
  readonly database?: DatabaseQueries;
  /** Lets go of connections and timers. */
  close?(): Promise<void>;
}
