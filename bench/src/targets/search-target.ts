import type { CorpusQuery } from '#corpus/corpus';

/** Documents of one answer. */
export const RESULTS = 10;

/** A system that answers queries over the corpus. Another one to compare with is one more file beside this that makes one. */
export interface SearchTarget {
  /** For the report's tables. */
  readonly name: string;
  /** Another engine, that ranks by its own lights: nobody expects the same order of it. */
  readonly isPeer?: boolean;
  /** The corpus' ids of at most `RESULTS` documents, the best first. */
  search(query: CorpusQuery): Promise<readonly string[]>;
  close(): void | Promise<void>;
}
