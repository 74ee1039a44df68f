import type { Filter } from '@lectern/vector-store';
import type { ParsedQuery } from '#query/parse-query';
import type { LearnedSpaces } from '#search/learned-leg';

/** Which legs look for documents. */
export type SearchMode = 'hybrid' | 'keyword' | 'semantic';

/** A collection that the caller may search. */
export interface SearchableCollection {
  readonly id: string;
  readonly name: string;
  readonly embeddingModel: string;
}

/** A checked search within the caller's reach. */
export interface SearchQuery {
  readonly team: string;
  readonly collections: readonly SearchableCollection[];
  readonly spaces?: LearnedSpaces;
  /** Only what one of these may read; undefined where the key's scope alone decides. */
  readonly principals: readonly string[] | undefined;
  readonly query: ParsedQuery;
  readonly filter: Filter | undefined;
  readonly mode: SearchMode;
  /** Counted from 1. */
  readonly page: number;
  readonly limit: number;
  /** 0 to 1; documents that score lower are left out. */
  readonly minScore: number | undefined;
  readonly passagesPerDocument: number;
}
