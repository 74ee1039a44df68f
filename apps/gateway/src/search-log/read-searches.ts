import { Prisma, type PrismaClient } from '#gen/prisma/client';

const DAY_MS = 86_400_000;

/** The searches of a team in a period. */
export interface SearchFilter {
  readonly teamId: string;
  readonly from: Date;
  readonly to: Date;
  readonly collection: string | undefined;
}

interface Counts {
  readonly searches: bigint;
  readonly without_results: bigint;
  readonly clicked: bigint;
  readonly rank_sum: bigint;
  readonly rank_count: bigint;
}

const matches = ({ teamId, from, to, collection }: SearchFilter) => Prisma.sql`
  team_id = ${teamId} AND created_at >= ${from} AND created_at < ${to}
  ${collection === undefined ? Prisma.empty : Prisma.sql`AND ${collection} = ANY(collections)`}`;

const IS_WITHOUT_RESULTS = Prisma.sql`total = 0 AND NOT narrowed`;

const COUNTS = Prisma.sql`
  count(*) AS searches,
  count(*) FILTER (WHERE ${IS_WITHOUT_RESULTS}) AS without_results,
  count(*) FILTER (WHERE cardinality(clicked_ranks) > 0) AS clicked,
  coalesce(sum((SELECT sum(rank) FROM unnest(clicked_ranks) AS rank)), 0)::bigint AS rank_sum,
  coalesce(sum(cardinality(clicked_ranks)), 0)::bigint AS rank_count`;

const EMPTY: Counts = { searches: 0n, without_results: 0n, clicked: 0n, rank_sum: 0n, rank_count: 0n };

const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

function countsOf(row: Counts) {
  const searches = Number(row.searches);
  const clicked = Number(row.clicked);
  const ranks = Number(row.rank_count);
  return {
    searches,
    withoutResults: Number(row.without_results),
    clicked,
    clickThroughRate: searches === 0 ? null : rounded(clicked / searches),
    meanClickedRank: ranks === 0 ? null : rounded(Number(row.rank_sum) / ranks),
  };
}

const sum = (one: Counts, other: Counts): Counts => ({
  searches: one.searches + other.searches,
  without_results: one.without_results + other.without_results,
  clicked: one.clicked + other.clicked,
  rank_sum: one.rank_sum + other.rank_sum,
  rank_count: one.rank_count + other.rank_count,
});

/** Counts the searches of a period of whole intervals: in total and in each interval. */
export async function readSearchCounts(db: PrismaClient, filter: SearchFilter, intervalMs: number) {
  const seconds = intervalMs / 1_000;
  const rows = await db.$queryRaw<(Counts & { readonly start: Date })[]>`
    SELECT to_timestamp(floor(extract(epoch FROM created_at) / ${seconds}::int) * ${seconds}::int) AS start, ${COUNTS}
    FROM search_records WHERE ${matches(filter)} GROUP BY 1`;
  const byStart = new Map(rows.map((row) => [row.start.getTime(), row]));
  const { from, to } = filter;
  const length = (to.getTime() - from.getTime()) / intervalMs;
  const starts = Array.from({ length }, (_, index) => from.getTime() + index * intervalMs);
  return {
    buckets: starts.map((start) => ({ start: new Date(start), counts: countsOf(byStart.get(start) ?? EMPTY) })),
    totals: countsOf(rows.reduce(sum, EMPTY)),
  };
}

interface QueryRow extends Counts {
  readonly query: string;
  readonly last_total: number;
  readonly last_at: Date;
  readonly all_queries: bigint;
}

/** Lists the queries of a period that at least `minPeople` people searched for, most frequent first. */
export async function readSearchQueries(
  db: PrismaClient,
  filter: SearchFilter,
  options: {
    readonly withoutResults: boolean;
    readonly minPeople: number;
    readonly skip: number;
    readonly take: number;
  },
) {
  const { withoutResults, minPeople, skip, take } = options;
  // All programs together count as one person.
  const grouped = Prisma.sql`
    SELECT query, ${COUNTS},
      (array_agg(total ORDER BY created_at DESC, id DESC))[1] AS last_total, max(created_at) AS last_at
    FROM search_records WHERE ${matches(filter)}
    GROUP BY query
    HAVING count(DISTINCT coalesce(visitor, '')) >= ${minPeople}
      ${withoutResults ? Prisma.sql`AND count(*) FILTER (WHERE ${IS_WITHOUT_RESULTS}) > 0` : Prisma.empty}`;
  const order = withoutResults
    ? Prisma.sql`without_results DESC, searches DESC, query`
    : Prisma.sql`searches DESC, query`;
  const [rows, [count]] = await Promise.all([
    db.$queryRaw<QueryRow[]>`SELECT * FROM (${grouped}) AS queries ORDER BY ${order} LIMIT ${take} OFFSET ${skip}`,
    db.$queryRaw<{ readonly total: bigint }[]>`SELECT count(*) AS total FROM (${grouped}) AS queries`,
  ]);
  return {
    queries: rows.map((row) => ({
      query: row.query,
      ...countsOf(row),
      lastResults: row.last_total,
      lastSearchedAt: row.last_at,
    })),
    total: Number(count?.total ?? 0n),
  };
}

/** The searches that are deleted with one statement, so that each stays short. */
const PURGE_BATCH = 10_000;

/** Deletes searches older than the retention time, and the salts of earlier days. */
export async function purgeSearches(db: PrismaClient, retentionDays: number): Promise<void> {
  const before = new Date(Date.now() - retentionDays * DAY_MS);
  let deleted = PURGE_BATCH;
  while (deleted === PURGE_BATCH) {
    deleted = await db.$executeRaw`
      DELETE FROM search_records WHERE id IN (
        SELECT id FROM search_records WHERE created_at < ${before} ORDER BY created_at LIMIT ${PURGE_BATCH})`;
  }
  // Searches of the last minutes of a day are stored after midnight.
  await db.searchSalt.deleteMany({ where: { day: { lt: new Date(Date.now() - DAY_MS - DAY_MS / 24) } } });
}
