import type { Filter } from '@lectern/contracts';
import type { Language } from '@lectern/text';
import type { FacetFilters } from '#filters/read-facet-filters';
import type { ParsedQuery } from '#query/parse-query';
import type { LearnedSpaces } from '#search/learned-leg';
import type { DateOrder } from '#search/list-by-date';
import type { Recency } from '#search/recency';

/** The legs to search with. */
export type SearchMode = 'hybrid' | 'keyword' | 'semantic';

/** A collection within the caller's scope. */
export interface SearchableCollection {
  readonly id: string;
  readonly name: string;
  readonly embeddingModel: string;
  /** The languages of its documents, if they are known. */
  readonly languages?: readonly Language[] | undefined;
}

/** A checked search within the caller's scope. */
export interface SearchQuery {
  readonly team: string;
  readonly collections: readonly SearchableCollection[];
  readonly spaces?: LearnedSpaces;
  /** Only documents that one of these can read. Undefined: the key's scope decides. */
  readonly principals: readonly string[] | undefined;
  /** Only documents that match it: the filter of the caller. */
  readonly required?: Filter | undefined;
  readonly query: ParsedQuery;
  readonly filter: Filter | undefined;
  readonly facetFilters: FacetFilters;
  readonly mode: SearchMode;
  /** Documents before the page. */
  readonly offset: number;
  readonly limit: number;
  /** 0 to 1; documents with a lower relevance do not match. */
  readonly minScore: number | undefined;
  readonly passagesPerDocument: number;
  /** Groups near-duplicates among the ranked documents. */
  readonly collapse?: 'duplicates' | undefined;
  /** Prefers recent documents. */
  readonly recency?: Recency | undefined;
  /** Orders all matches by date. Undefined: by relevance. */
  readonly sort?: DateOrder | undefined;
  /** Documents that do not match, whatever they contain. */
  readonly except?: readonly string[] | undefined;
}
