/** The bounds of a search. */
export const SEARCH_LIMITS = {
  /** Characters (code points) of a query. */
  query: 2_000,
  /** Documents a page. */
  page: { default: 20, max: 100 },
  passagesPerDocument: { default: 3, max: 20 },
  /** Documents up to the end of a page: whoever wants more of them narrows the search. */
  depth: 10_000,
  /** Fields to count, and values given of each. */
  facets: 20,
  facetValues: { default: 20, max: 1_000 },
  /** Distinct values that one list of facts may have: all of them are read to count a field of metadata, or to find those within a range. */
  factValues: 100_000,
  /** Metadata fields with a range in the filters of a request, and values within its ranges. */
  rangeFields: 10,
  rangeValues: 20_000,
  /**
   * Passages that each leg of an embedding model contributes to the ranking, the same for every page of a query. What matches beyond them follows
   * unranked, so pages and `total` do not depend on this.
   */
  candidates: 200,
} as const;
