import type { UsageKind } from '@lectern/api-spec';
import { type Logger, type Running, repeat } from '@lectern/service-kit';
import type { PrismaClient } from '#gen/prisma/client';
import { BUCKETS, bucketOf } from '#usage/durations';
import type { RequestUsage } from '#usage/request-usage';

const HOUR_MS = 3_600_000;
/**
 * The maximum number of rows in memory while the database is unavailable. Further rows are dropped.
 */
const MAX_ROWS = 10_000;
const FLUSH_MS = 3_000;
const DAY_MS = 24 * HOUR_MS;

/** The usage of a team in an hour, by kind. */
interface Row {
  readonly team_id: string;
  /** ISO 8601. */
  readonly hour: string;
  readonly kind: UsageKind;
  requests: number;
  errors: number;
  prompt_tokens: number;
  completion_tokens: number;
  readonly durations: number[];
}

/** Counts requests in memory and adds them to the database every few seconds. */
export interface UsageCounts {
  /**
   * Counts a finished request. `durationMs`: until the response began; undefined if the client
   * disconnected before.
   */
  count(usage: RequestUsage, outcome: { readonly failed: boolean; readonly durationMs: number | undefined }): void;
  /** Stores the counts. */
  flush(): Promise<void>;
  /** Flushes periodically, and once more when stopped. */
  start(log: Logger): Running;
}

const hourOf = (ms: number) => new Date(Math.floor(ms / HOUR_MS) * HOUR_MS).toISOString();

/**
 * Adds a batch in one statement, so that it counts completely or not at all. All replicas lock rows
 * in the same order, so that they cannot deadlock.
 */
async function addRows(db: PrismaClient, rows: readonly Row[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO usage_hours AS known
      (team_id, hour, kind, requests, errors, prompt_tokens, completion_tokens, durations)
    SELECT team_id, hour, kind, requests, errors, prompt_tokens, completion_tokens, durations
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS added(team_id text, hour timestamptz, kind text,
        requests bigint, errors bigint, prompt_tokens bigint, completion_tokens bigint, durations bigint[])
      ORDER BY team_id, hour, kind
    ON CONFLICT (team_id, hour, kind) DO UPDATE SET
      requests = known.requests + excluded.requests,
      errors = known.errors + excluded.errors,
      prompt_tokens = known.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = known.completion_tokens + excluded.completion_tokens,
      durations = (SELECT array_agg(a + b ORDER BY place)
        FROM unnest(known.durations, excluded.durations) WITH ORDINALITY AS both_counts(a, b, place))`;
}

export function createUsageCounts(db: PrismaClient): UsageCounts {
  let pending = new Map<string, Row>();

  const rowOf = (teamId: string, hour: string, kind: UsageKind): Row | undefined => {
    const name = `${hour} ${teamId} ${kind}`;
    const known = pending.get(name);
    if (known !== undefined || pending.size >= MAX_ROWS) return known;
    const durations = new Array<number>(BUCKETS).fill(0);
    const zeros = { requests: 0, errors: 0, prompt_tokens: 0, completion_tokens: 0 };
    const added = { team_id: teamId, hour, kind, ...zeros, durations };
    pending.set(name, added);
    return added;
  };

  const addAgain = (lost: Row) => {
    const row = rowOf(lost.team_id, lost.hour, lost.kind);
    if (row === undefined) return;
    row.requests += lost.requests;
    row.errors += lost.errors;
    row.prompt_tokens += lost.prompt_tokens;
    row.completion_tokens += lost.completion_tokens;
    for (const [bucket, count] of lost.durations.entries())
      row.durations[bucket] = (row.durations[bucket] ?? 0) + count;
  };

  let running: Promise<void> | undefined;
  const flushOnce = async () => {
    if (pending.size === 0) return;
    const batch = [...pending.values()];
    pending = new Map();
    try {
      await addRows(db, batch);
    } catch (error) {
      // Store the batch with the next flush.
      for (const row of batch) addAgain(row);
      throw error;
    }
  };
  const flush = async () => {
    await running?.catch(() => undefined);
    running = flushOnce();
    await running;
  };

  return {
    count: ({ teamId, kind, promptTokens, completionTokens }, { failed, durationMs }) => {
      if (teamId === undefined) return;
      const row = rowOf(teamId, hourOf(Date.now()), kind);
      if (row === undefined) return;
      row.requests += 1;
      if (failed) row.errors += 1;
      row.prompt_tokens += promptTokens;
      row.completion_tokens += completionTokens;
      if (durationMs !== undefined) {
        const bucket = bucketOf(durationMs);
        row.durations[bucket] = (row.durations[bucket] ?? 0) + 1;
      }
    },
    flush,
    start: (log) => {
      const loop = repeat({ name: 'usage', intervalMs: FLUSH_MS, log }, flush);
      return {
        stop: async () => {
          await loop.stop();
          await flush().catch((err: unknown) => log.warn({ err }, 'could not store the last usage counts'));
        },
      };
    },
  };
}

/** Deletes the rows of hours older than the retention time. */
export async function purgeUsage(db: PrismaClient, retentionDays: number): Promise<void> {
  const before = new Date(Date.now() - retentionDays * DAY_MS);
  await db.$executeRaw`DELETE FROM usage_hours WHERE hour < ${before}`;
}
