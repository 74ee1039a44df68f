import pg from 'pg';
import type { BucketStore, Granted } from '#limits/bucket-store';
import { grantOf, LEASE_SHARE } from '#limits/rate';

const MAX_CONNECTIONS = 4;
const PURGE_ROWS = 10_000;

// `grantOf` in SQL. $1 name, $2 interval, $3 burst, $4 needed, $5 wanted, $6 granted by a new
// bucket.
// The time of the call comes from `excluded`, because a second read of the clock would differ.
const TAKE = `
INSERT INTO rate_buckets AS bucket (name, tat, granted)
SELECT $1, clock.now + $6::bigint * $2::bigint, $6 FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS clock
ON CONFLICT (name) DO UPDATE SET (tat, granted) = (
  SELECT base + granted * $2::bigint, granted::int
  FROM (SELECT excluded.tat - $6::bigint * $2::bigint AS now) AS clock,
    LATERAL (SELECT greatest(bucket.tat, now) AS base) AS start,
    LATERAL (SELECT greatest(0, (now + $3::bigint - base) / $2::bigint) AS available) AS room,
    LATERAL (SELECT least(available, greatest($4::bigint, least($5::bigint, available / ${LEASE_SHARE}))) AS granted) AS lease
)
RETURNING granted, tat::text, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text AS now`;

const GIVE_BACK = `
UPDATE rate_buckets AS bucket SET tat = bucket.tat - refund.us
FROM unnest($1::text[], $2::bigint[]) AS refund(name, us) WHERE bucket.name = refund.name`;

const PURGE = `
DELETE FROM rate_buckets WHERE name IN (
  SELECT name FROM rate_buckets WHERE tat < (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
  LIMIT ${PURGE_ROWS} FOR UPDATE SKIP LOCKED)`;

export interface PostgresStoreOptions {
  readonly url: string;
  readonly schema: string;
  /** Deadline of a call in milliseconds. */
  readonly timeoutMs: number;
}

interface Row {
  readonly granted: number;
  readonly tat: string;
  readonly now: string;
}

/**
 * Stores buckets in an unlogged table. A call is one round trip and uses the clock of PostgreSQL.
 */
export function createPostgresStore({ url, schema, timeoutMs }: PostgresStoreOptions): BucketStore {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    // Commits do not wait for the disk: losing a bucket in a crash is harmless.
    options: `-c search_path="${schema}" -c statement_timeout=${timeoutMs} -c synchronous_commit=off`,
  });
  // The next call replaces a connection that broke while idle.
  pool.on('error', () => undefined);
  return {
    take: async ({ name, rate, needed, wanted }): Promise<Granted> => {
      const first = grantOf(rate.perMinute, needed, wanted);
      const values = [name, rate.intervalUs, rate.burstUs, needed, wanted, first];
      const { rows } = await pool.query<Row>({ name: 'take', text: TAKE, values });
      const [row] = rows;
      if (row === undefined) throw new Error('The rate limit query returned no row.');
      return { granted: row.granted, nowUs: Number(row.now), tatUs: Number(row.tat) };
    },
    giveBack: async (refunds) => {
      // All replicas lock rows in the same order, so that they cannot deadlock.
      const sorted = refunds.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      await pool.query({
        name: 'give-back',
        text: GIVE_BACK,
        values: [sorted.map(({ name }) => name), sorted.map(({ us }) => us)],
      });
    },
    purge: async () => {
      await pool.query({ name: 'purge', text: PURGE });
    },
    close: () => pool.end(),
  };
}
