import { z } from 'zod';
import type { Prisma } from '#gen/prisma/client';

/** Counts of a job's items. */
export interface JobCounts {
  readonly total: number;
  readonly collected: number;
  readonly parsed: number;
  readonly indexed: number;
  readonly skipped: number;
  readonly deleted: number;
  readonly failed: number;
}

const count = z.int().min(0).default(0);
const stored = z.object({
  total: count,
  collected: count,
  parsed: count,
  indexed: count,
  skipped: count,
  deleted: count,
  failed: count,
});

/** Parses the counts in a job's row. Missing counts are 0. */
export const readCounts = (value: unknown): JobCounts => stored.parse(value ?? {});

export const addCounts = (one: JobCounts, other: JobCounts): JobCounts => ({
  total: one.total + other.total,
  collected: one.collected + other.collected,
  parsed: one.parsed + other.parsed,
  indexed: one.indexed + other.indexed,
  skipped: one.skipped + other.skipped,
  deleted: one.deleted + other.deleted,
  failed: one.failed + other.failed,
});

/** Counts the items of jobs. Jobs without items are not in the map. */
export async function countItems(
  tx: Prisma.TransactionClient,
  jobIds: readonly string[],
): Promise<ReadonlyMap<string, JobCounts>> {
  if (jobIds.length === 0) return new Map();
  const rows = await tx.$queryRaw<(JobCounts & { jobId: string })[]>`
    SELECT job_id AS "jobId", count(*)::int AS total,
      count(*) FILTER (WHERE collected)::int AS collected,
      count(*) FILTER (WHERE parsed)::int AS parsed,
      count(*) FILTER (WHERE stage = 'indexed')::int AS indexed,
      count(*) FILTER (WHERE stage = 'skipped')::int AS skipped,
      count(*) FILTER (WHERE stage = 'deleted')::int AS deleted,
      count(*) FILTER (WHERE stage = 'failed')::int AS failed
    FROM sync_items WHERE job_id = ANY(${[...jobIds]}) GROUP BY job_id`;
  return new Map(rows.map(({ jobId, ...counts }) => [jobId, counts]));
}
