import type { UsageKind } from '@lectern/api-spec';
import type { PrismaClient } from '#gen/prisma/client';
import { BUCKETS, percentileMs } from '#usage/durations';

/** The usage in a period. */
export interface UsageTotals {
  readonly requests: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly searches: number;
  readonly chats: number;
  readonly agentRuns: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

interface Sums {
  readonly start: Date;
  readonly kind: UsageKind;
  readonly requests: bigint;
  readonly errors: bigint;
  readonly prompt: bigint;
  readonly completion: bigint;
}

interface Count {
  readonly start: Date;
  readonly bucket: number;
  readonly count: bigint;
}

/** Only successful requests count as searches, chats or runs. */
const succeeded = (sums: readonly Sums[], kind: UsageKind) =>
  sumOf(sums.filter((row) => row.kind === kind).map(({ requests, errors }) => requests - errors));

const sumOf = (values: readonly bigint[]) => Number(values.reduce((sum, value) => sum + value, 0n));

function totalsOf(sums: readonly Sums[], counts: readonly Count[]): UsageTotals {
  const histogram = new Array<number>(BUCKETS).fill(0);
  for (const { bucket, count } of counts) histogram[bucket] = (histogram[bucket] ?? 0) + Number(count);
  return {
    requests: sumOf(sums.map(({ requests }) => requests)),
    errors: sumOf(sums.map(({ errors }) => errors)),
    p50Ms: percentileMs(histogram, 0.5),
    p95Ms: percentileMs(histogram, 0.95),
    searches: succeeded(sums, 'search'),
    chats: succeeded(sums, 'chat'),
    agentRuns: succeeded(sums, 'agent_run'),
    promptTokens: sumOf(sums.map(({ prompt }) => prompt)),
    completionTokens: sumOf(sums.map(({ completion }) => completion)),
  };
}

/**
 * Reads the usage of a team in a period of whole intervals: the totals, and each interval,
 * including empty ones.
 */
export async function readUsage(
  db: PrismaClient,
  teamId: string,
  { from, to, intervalMs }: { readonly from: Date; readonly to: Date; readonly intervalMs: number },
) {
  const seconds = intervalMs / 1000;
  const [sums, counts] = await Promise.all([
    db.$queryRaw<Sums[]>`
      SELECT to_timestamp(floor(extract(epoch FROM hour) / ${seconds}::int) * ${seconds}::int) AS start, kind,
        sum(requests)::bigint AS requests, sum(errors)::bigint AS errors,
        sum(prompt_tokens)::bigint AS prompt, sum(completion_tokens)::bigint AS completion
      FROM usage_hours WHERE team_id = ${teamId} AND hour >= ${from} AND hour < ${to} GROUP BY 1, 2`,
    db.$queryRaw<Count[]>`
      SELECT to_timestamp(floor(extract(epoch FROM hour) / ${seconds}::int) * ${seconds}::int) AS start,
        (place - 1)::int AS bucket, sum(count)::bigint AS count
      FROM usage_hours, unnest(durations) WITH ORDINALITY AS histogram(count, place)
      WHERE team_id = ${teamId} AND hour >= ${from} AND hour < ${to} AND count > 0 GROUP BY 1, 2`,
  ]);
  const sumsAt = Map.groupBy(sums, ({ start }) => start.getTime());
  const countsAt = Map.groupBy(counts, ({ start }) => start.getTime());
  const starts = Array.from(
    { length: (to.getTime() - from.getTime()) / intervalMs },
    (_, place) => from.getTime() + place * intervalMs,
  );
  return {
    buckets: starts.map((start) => ({
      start: new Date(start),
      counts: totalsOf(sumsAt.get(start) ?? [], countsAt.get(start) ?? []),
    })),
    totals: totalsOf(sums, counts),
  };
}
