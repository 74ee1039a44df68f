import type { SourceContent, SourceEvent, SourcePermissions, SourceRef } from './source.ts';

/** What a connector is given with each call. */
export interface ConnectorCall {
  /** Ends the call; every wait within it obeys. */
  readonly signal: AbortSignal;
}

/** A file to be put into a source. */
export interface NewSourceFile {
  readonly path: string;
  readonly body: AsyncIterable<Uint8Array>;
  readonly mimeType?: string | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * The one way to every source. Methods throw `SourceError` for what the source says and let nothing else of its client through.
 * A connector holds no state between calls that a restart would miss.
 */
export interface Connector {
  /** Everything there is, a page at a time as it is pulled; `from` is a checkpoint of an earlier listing. */
  list(call: ConnectorCall, from?: string): AsyncGenerator<SourceEvent, void, void>;
  /** One item by its id, or null where the source confirms that it does not exist. */
  resolve(call: ConnectorCall, id: string): Promise<SourceRef | null>;
  /** The item's content. Throws `gone` where it vanished since it was listed. */
  fetch(call: ConnectorCall, ref: SourceRef): Promise<SourceContent>;
  /** Who may read the items; absent where the source does not say, and `config.principals` holds. */
  permissions?(call: ConnectorCall, refs: readonly SourceRef[]): AsyncGenerator<SourcePermissions, void, void>;
  /** Writes a file, replacing one of the same path; absent where the source is read-only. */
  put?(call: ConnectorCall, file: NewSourceFile): Promise<SourceRef>;
  /** Removes an item; one that is not there is no error. */
  remove?(call: ConnectorCall, id: string): Promise<void>;
}
