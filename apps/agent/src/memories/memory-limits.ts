/** The limits of memories. */
export const MEMORY_LIMITS = {
  /** The maximum length of a memory, in code points. */
  content: 4_000,
  /** The maximum size of its metadata as JSON, in bytes. */
  metadataBytes: 16 * 1024,
  /** The maximum number of memories of one agent. */
  perAgent: 5_000,
  /** The maximum length of a query, in code points. */
  query: 2_000,
  /** The maximum and default number of results. */
  hits: { default: 20, max: 100 },
} as const;
