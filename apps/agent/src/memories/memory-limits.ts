/** The bounds of memories. */
export const MEMORY_LIMITS = {
  /** Characters (code points) of one. */
  content: 4_000,
  /** Bytes of its metadata as JSON. */
  metadataBytes: 16 * 1024,
  /** Memories of one agent. */
  perAgent: 5_000,
  /** Characters (code points) of a query. */
  query: 2_000,
  /** Found at most, and where a search does not say. */
  hits: { default: 20, max: 100 },
} as const;
