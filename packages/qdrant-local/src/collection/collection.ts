import { serviceError } from '../errors.ts';
import type { IndexSchema } from '../index/field-index.ts';
import { PayloadFile } from '../storage/payload-file.ts';
import type { LogRecord } from '../storage/record.ts';
import { encodeRecord } from '../storage/record-codec.ts';
import { compactFiles, type RecoveredFiles, recoverFiles } from './collection-files.ts';
import type { CollectionConfig, NamedIndex } from './config.ts';
import { type CapturedStore, PointStore } from './point-store.ts';

// A log is compacted into a snapshot when it exceeds both this size and this share of the snapshot:
// reading a log takes much longer than reading a snapshot of the same size.
const defaultCompactionBytes = 32 * 1024 * 1024;
const logShareOfSnapshot = 0.25;
// A smaller log is compacted too when no change has come for this time, for a fast next start.
const idleMs = 20_000;
const minIdleCompactionBytes = 4 * 1024 * 1024;

type NewRecord = LogRecord extends infer R ? (R extends LogRecord ? Omit<R, 'version'> : never) : never;

/** Options for opening a collection. */
export interface CollectionOptions {
  readonly folder: string;
  readonly config: CollectionConfig;
  readonly indexes: readonly NamedIndex[];
  /** Called with warnings for operators: a truncated log, a failed compaction. */
  readonly warn: (message: string) => void;
  /** The minimum size of a log, in bytes, to be compacted into a snapshot. */
  readonly compactAfterBytes?: number;
}

/**
 * A collection: its points in memory, and the log that makes every change durable before it is
 * acknowledged.
 */
export class Collection {
  readonly store: PointStore;
  readonly #folder: string;
  readonly #warn: (message: string) => void;
  readonly #compactAfterBytes: number;
  #config: CollectionConfig;
  #files: RecoveredFiles;
  #version: number;
  #compaction: Promise<void> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #closed = false;

  private constructor(options: CollectionOptions, store: PointStore, files: RecoveredFiles, version: number) {
    this.#folder = options.folder;
    this.#warn = options.warn;
    this.#compactAfterBytes = options.compactAfterBytes ?? defaultCompactionBytes;
    this.#config = options.config;
    this.store = store;
    this.#files = files;
    this.#version = version;
  }

  /** Opens a collection from its folder. @throws Error if its files are missing or damaged */
  static async open(options: CollectionOptions): Promise<Collection> {
    const store = new PointStore(options.config);
    let version = 0;
    store.setLoading(true);
    const files = await recoverFiles(options.folder, (record, source) => {
      version = Math.max(version, record.version);
      store.apply(record, source);
    });
    store.setLoading(false);
    if (files.tornBytes > 0)
      options.warn(`${options.folder}: removed ${files.tornBytes} bytes of a write that a crash interrupted`);
    for (const { path, ...schema } of options.indexes)
      if (!store.hasIndex(path, schema)) store.createIndex(path, schema);
    const wanted = new Set(options.indexes.map(({ path }) => path));
    for (const [path] of store.indexes()) if (!wanted.has(path)) store.dropIndex(path);
    const collection = new Collection(options, store, files, version + 1);
    // A snapshot of an earlier version is replaced, because reading it takes longer.
    if (files.hasOldSnapshot) collection.#startCompaction();
    else collection.#compactIfDue();
    return collection;
  }

  get config(): CollectionConfig {
    return this.#config;
  }

  /** Applies changed settings. Sparse modifiers take effect immediately. */
  reconfigure(config: CollectionConfig): void {
    this.#config = config;
    for (const [name, { idf }] of Object.entries(config.sparse)) this.store.setSparse(name, idf);
  }

  createIndex(path: string, schema: IndexSchema): void {
    this.store.createIndex(path, schema);
  }

  /**
   * Applies a change. Resolves with its operation number once it is on disk. Readers can see it
   * slightly earlier.
   *
   * @throws QdrantError 500 if the log cannot be written
   */
  async commit(change: NewRecord): Promise<number> {
    if (this.#closed) throw serviceError('the collection is closed');
    this.#files.writer.assertHealthy();
    const version = this.#version++;
    const record: LogRecord = { ...change, version };
    const body = encodeRecord(record);
    this.store.apply(record);
    await this.#files.writer.append(body);
    this.#compactIfDue();
    return version;
  }

  /** Returns the number for an operation that changes no points. */
  nextOperation(): number {
    return this.#version++;
  }

  /** Writes everything to disk and closes the files. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    await this.#compaction;
    await this.#files.writer.close();
    this.store.close();
  }

  #compactIfDue(): void {
    if (this.#compaction || this.#closed) return;
    const { writer, snapshotBytes } = this.#files;
    clearTimeout(this.#idleTimer);
    if (writer.bytes >= Math.max(this.#compactAfterBytes, snapshotBytes * logShareOfSnapshot)) this.#startCompaction();
    else if (writer.bytes >= minIdleCompactionBytes)
      this.#idleTimer = setTimeout(() => this.#startCompaction(), idleMs).unref();
  }

  #startCompaction(): void {
    if (this.#compaction || this.#closed) return;
    this.#compaction = this.#compact().catch((error: unknown) => {
      this.#compaction = undefined;
      this.#warn(`${this.#folder}: compaction failed: ${String(error)}`);
    });
  }

  async #compact(): Promise<void> {
    const { writer, generation } = this.#files;
    let captured: CapturedStore | undefined;
    try {
      const { path, payloads, ...compacted } = await compactFiles(this.#folder, writer, generation, () => {
        captured = this.store.capture(this.#version);
        return captured.records;
      });
      this.#files = { ...this.#files, ...compacted };
      if (payloads.length > 0) captured?.movePayloads(new PayloadFile(path), payloads);
    } finally {
      captured?.release();
    }
    this.#compaction = undefined;
    this.#compactIfDue();
  }
}
