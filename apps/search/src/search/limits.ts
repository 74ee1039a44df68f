/** The bounds of a search. */
export const SEARCH_LIMITS = {
  /** Characters (code points) of a query. */
  query: 2_000,
  /** Documents a page. */
  page: { default: 20, max: 100 },
  passagesPerDocument: { default: 3, max: 20 },
  /**
   * Passages that each leg of an embedding model contributes. They are the same for every page of a query, and pages move within the documents
   * they belong to: none is shown twice or lost between pages, and `total` is their number.
   */
  candidates: 500,
} as const;
