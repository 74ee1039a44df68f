import type { Assumptions, MeasuredCosts, Target } from '#capacity/capacity-model';

/**
 * Measured on two shared cores (AMD EPYC), the highest values seen. Queries at 50,142 passages
 * (docs/search.md), PostgreSQL at 1,989 (bench:capacity), documents in a sync of 10,000 small ones
 * (bench/README.md). docs/capacity.md is generated from this.
 */
export const MEASURED: MeasuredCosts = {
  queryCpuMs: { gateway: 2.6, search: 6.4, collection: 1.6, PostgreSQL: 0.6 },
  documentCpuMs: { connector: 9.3, collection: 2.8, PostgreSQL: 5.6 },
  passagesPerDocument: 2.8,
};

/** The builtin embedding's vectors, stored by Qdrant as floats on disk and as bytes in memory. */
export const ASSUMED: Assumptions = {
  busyShare: 0.7,
  dimensions: 256,
  bytesPerNumber: 4,
  bytesPerNumberInMemory: 1,
  payloadBytesPerPassage: 1_700,
  postgresBytesPerPassage: 3_000,
  vectorCopies: 2,
};

/** The targets of docs/capacity.md. */
export const TARGET: Target = { queriesPerSecond: 1_000, passages: 100_000_000, indexingHours: 24 };
