/** The bounds of what is learned: with them training takes at most half a minute of one core and 250 MB, however large the corpus. */
export const LSI_LIMITS = {
  /** Dimensions of every builtin space. More find more on their own (300 on scifact .56 against .51) and add nothing beside keywords. */
  dimensions: 192,
  /** With nearly as many directions as terms nothing is brought together: a tiny vocabulary gets fewer, the rest stay zero. */
  termsPerDimension: 10,
  /** Passages that are learned from; the rest is folded in. */
  passages: 20_000,
  /** Terms of all those passages together: about 100 each are usual, encoded data may have many times that. */
  entries: 4_000_000,
  /** Terms that are known, the most frequent first. A model takes `204 bytes` for each. */
  terms: 30_000,
  /** A term of one passage says nothing of any other. */
  minPassagesOfTerm: 2,
  /** A term of more passages than this share says nothing either. */
  maxShareOfTerm: 0.5,
} as const;
