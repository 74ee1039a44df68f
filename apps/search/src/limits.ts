import { SEARCH_DEFAULTS } from '@lectern/vector-store';

/** Limits of a search. */
export const SEARCH_LIMITS = {
  /** Characters (code points) of the query. */
  query: 2_000,
  /** Documents per page. */
  page: { default: 20, max: 100 },
  passagesPerDocument: { default: SEARCH_DEFAULTS.passagesPerDocument, max: 20 },
  /** Near-duplicates that a result names; all of them are counted. */
  duplicates: 10,
  /** Suggestions while a query is being typed, and queries to choose from. */
  suggestions: { default: 5, max: 20 },
  recency: { halfLifeDays: { min: 1, max: 3_650 }, weight: { default: 0.3 } },
  /** Documents up to the end of a page. */
  depth: 10_000,
  /** Facet fields, and values returned for each. */
  facets: 20,
  facetValues: { default: 20, max: 1_000 },
  /**
   * Distinct values of one facet field. All of them are read to count a metadata field or to find
   * those within a range.
   */
  factValues: 100_000,
  /**
   * Values within all metadata ranges of a request. `FILTER_LIMITS` limits the number of ranges.
   */
  rangeValues: 20_000,
  /**
   * Passages that each leg of an embedding model contributes to the ranking, for every page of a
   * query. Other matches follow, so pages and `total` do not depend on this.
   */
  candidates: SEARCH_DEFAULTS.candidates,
  /**
   * Passages of an embedding model that are ordered by keyword score alone, after the others. With
   * `minScore`, only documents up to here match by their words.
   */
  rankedByWords: 1_000,
} as const;
