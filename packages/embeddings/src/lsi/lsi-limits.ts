/** Limits of a training: at most half a minute of one core and 250 MB for any corpus. */
export const LSI_LIMITS = {
  /**
   * Dimensions of every builtin space. More dimensions rank better without keywords (scifact: 0.56
   * with 300, 0.51 with 192) but not in a fusion with them.
   */
  dimensions: 192,
  /**
   * With almost as many directions as terms, a space does not generalize, so a small vocabulary
   * uses fewer and the rest are zero.
   */
  termsPerDimension: 10,
  /** Passages to learn from; the others are folded in. */
  passages: 20_000,
  /**
   * Terms of all those passages. About 100 per passage are usual; encoded data can have many times
   * as many.
   */
  entries: 4_000_000,
  /**
   * The maximum number of known terms, the most frequent first. A model needs `204 bytes` for each.
   */
  terms: 30_000,
  /** A term of a single passage is not related to any other term. */
  minPassagesOfTerm: 2,
  /** A term in more than this share of the passages carries no information. */
  maxShareOfTerm: 0.5,
} as const;
