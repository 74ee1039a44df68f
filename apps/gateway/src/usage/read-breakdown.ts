import type { Prisma } from '#gen/prisma/client';
import { BUCKETS, percentileMs } from '#usage/durations';

/** What usage can be divided by. */
type Dimension = 'model' | 'key' | 'person';

/** The usage of one model, key pair or person. */
export interface UsageItem {
  readonly id: string;
  readonly requests: number;
  readonly errors: number;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** In millionths. */
  readonly cost: number;
}

interface Row {
  readonly id: string;
  readonly requests: bigint;
  readonly errors: bigint;
  readonly prompt: bigint;
  readonly completion: bigint;
  readonly cost: bigint;
  readonly total: bigint;
}

interface Count {
  readonly id: string;
  readonly bucket: number;
  readonly count: bigint;
}

export interface BreakdownQuery {
  readonly by: Dimension;
  readonly from: Date;
  readonly to: Date;
  readonly skip: number;
  readonly take: number;
}

/** Returns a page of the usage of whole days, the most expensive first, and the number of items. */
export async function readBreakdown(
  db: Prisma.TransactionClient,
  teamId: string,
  query: BreakdownQuery,
): Promise<{ readonly items: readonly UsageItem[]; readonly total: number }> {
  const { by, from, to, skip, take } = query;
  const prefix = by === 'person' ? 'per_%' : 'key_%';
  const rows = await db.$queryRaw<Row[]>`
    SELECT CASE WHEN ${by} = 'model' THEN model ELSE subject END AS id, sum(requests)::bigint AS requests,
      sum(errors)::bigint AS errors, sum(prompt_tokens)::bigint AS prompt,
      sum(completion_tokens)::bigint AS completion, sum(cost)::bigint AS cost, count(*) OVER () AS total
    FROM usage_days WHERE team_id = ${teamId} AND day >= ${from}::date AND day < ${to}::date
      AND CASE WHEN ${by} = 'model' THEN model <> '' ELSE subject LIKE ${prefix} END
    GROUP BY 1 ORDER BY cost DESC, sum(prompt_tokens + completion_tokens) DESC, requests DESC, 1
    OFFSET ${skip} LIMIT ${take}`;
  // A page past the end has no row that contains the number.
  if (rows.length === 0 && skip > 0) {
    return { items: [], total: (await readBreakdown(db, teamId, { ...query, skip: 0, take: 1 })).total };
  }
  const ids = rows.map(({ id }) => id);
  const counts = await db.$queryRaw<Count[]>`
    SELECT CASE WHEN ${by} = 'model' THEN model ELSE subject END AS id, (place - 1)::int AS bucket,
      sum(count)::bigint AS count
    FROM usage_days, unnest(durations) WITH ORDINALITY AS histogram(count, place)
    WHERE team_id = ${teamId} AND day >= ${from}::date AND day < ${to}::date AND count > 0
      AND CASE WHEN ${by} = 'model' THEN model ELSE subject END = ANY(${ids}) GROUP BY 1, 2`;
  const countsOf = Map.groupBy(counts, ({ id }) => id);
  const items = rows.map((row) => {
    const histogram = new Array<number>(BUCKETS).fill(0);
    for (const { bucket, count } of countsOf.get(row.id) ?? []) histogram[bucket] = Number(count);
    return {
      id: row.id,
      requests: Number(row.requests),
      errors: Number(row.errors),
      p50Ms: percentileMs(histogram, 0.5),
      p95Ms: percentileMs(histogram, 0.95),
      promptTokens: Number(row.prompt),
      completionTokens: Number(row.completion),
      cost: Number(row.cost),
    };
  });
  return { items, total: Number(rows[0]?.total ?? 0) };
}
