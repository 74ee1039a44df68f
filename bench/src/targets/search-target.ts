import type { CorpusQuery } from '#corpus/corpus';

/** The number of documents in a response. */
export const RESULTS = 10;

/** A system that answers queries over the corpus. To add another one, add a file to this folder. */
export interface SearchTarget {
  /** The name in tables. */
  readonly name: string;
  /** True for another engine, whose order is expected to differ. */
  readonly isPeer?: boolean;
  /** Returns the ids in the corpus of at most `RESULTS` documents, best first. */
  search(query: CorpusQuery): Promise<readonly string[]>;
  close(): void | Promise<void>;
}
