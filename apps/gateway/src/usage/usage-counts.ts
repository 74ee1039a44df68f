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

interface Counts {
  requests: number;
  errors: number;
  prompt_tokens: number;
  completion_tokens: number;
  readonly durations: number[];
}

/** The usage of a team in an hour, by kind. */
interface HourRow extends Counts {
  readonly team_id: string;
  /** ISO 8601. */
  readonly hour: string;
  readonly kind: UsageKind;
}

/** The usage of a key pair or a person on a day, by model. */
interface DayRow extends Counts {
  readonly team_id: string;
  /** ISO 8601. */
  readonly day: string;
  readonly subject: string;
  readonly model: string;
  cost: number;
}

/** Counts requests in memory and adds them to the database every few seconds. */
export interface UsageCounts {
  /**
   * Counts a finished request. `durationMs`: until the response began; undefined if the client
   * disconnected before.
   */
  count(usage: RequestUsage, outcome: { readonly failed: boolean; readonly durationMs: number | undefined }): void;
  /** Counts tokens that no request of a client has used. They count for chats. */
  countTokens(
    usage: Pick<RequestUsage, 'subject' | 'model' | 'promptTokens' | 'completionTokens' | 'cost'> & {
      readonly teamId: string;
    },
  ): void;
  /** Stores the counts. */
  flush(): Promise<void>;
  /** Flushes periodically, and once more when stopped. */
  start(log: Logger): Running;
}

const startOf = (ms: number, intervalMs: number) => new Date(Math.floor(ms / intervalMs) * intervalMs).toISOString();

/** All replicas lock rows in the same order, so that they cannot deadlock. */
const addHours = (db: PrismaClient, rows: readonly HourRow[]) => db.$executeRaw`
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

const addDays = (db: PrismaClient, rows: readonly DayRow[]) => db.$executeRaw`
    INSERT INTO usage_days AS known
      (team_id, day, subject, model, requests, errors, prompt_tokens, completion_tokens, cost, durations)
    SELECT team_id, day, subject, model, requests, errors, prompt_tokens, completion_tokens, cost, durations
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS added(team_id text, day date, subject text, model text,
        requests bigint, errors bigint, prompt_tokens bigint, completion_tokens bigint, cost bigint, durations bigint[])
      ORDER BY team_id, day, subject, model
    ON CONFLICT (team_id, day, subject, model) DO UPDATE SET
      requests = known.requests + excluded.requests,
      errors = known.errors + excluded.errors,
      prompt_tokens = known.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = known.completion_tokens + excluded.completion_tokens,
      cost = known.cost + excluded.cost,
      durations = (SELECT array_agg(a + b ORDER BY place)
        FROM unnest(known.durations, excluded.durations) WITH ORDINALITY AS both_counts(a, b, place))`;

const noCounts = (): Counts => ({
  requests: 0,
  errors: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  durations: new Array<number>(BUCKETS).fill(0),
});

function add(row: Counts, more: Counts): void {
  row.requests += more.requests;
  row.errors += more.errors;
  row.prompt_tokens += more.prompt_tokens;
  row.completion_tokens += more.completion_tokens;
  for (const [bucket, count] of more.durations.entries()) row.durations[bucket] = (row.durations[bucket] ?? 0) + count;
}

/** Counts that are not stored yet. */
interface Pending {
  readonly hours: Map<string, HourRow>;
  readonly days: Map<string, DayRow>;
}

const nothingPending = (): Pending => ({ hours: new Map(), days: new Map() });

/** Returns the row of a name, or creates it if there is room. */
function rowIn<R>(rows: Map<string, R>, name: string, create: () => R): R | undefined {
  const known = rows.get(name);
  if (known !== undefined || rows.size >= MAX_ROWS) return known;
  const added = create();
  rows.set(name, added);
  return added;
}

function addHour(pending: Pending, key: Pick<HourRow, 'team_id' | 'hour' | 'kind'>, counts: Counts): void {
  const name = `${key.hour} ${key.team_id} ${key.kind}`;
  const row = rowIn(pending.hours, name, () => ({ ...key, ...noCounts() }));
  if (row !== undefined) add(row, counts);
}

type DayKey = Pick<DayRow, 'team_id' | 'day' | 'subject' | 'model'>;

function addDay(pending: Pending, key: DayKey, counts: Counts, cost: number): void {
  const name = `${key.day} ${key.team_id} ${key.subject} ${key.model}`;
  const row = rowIn(pending.days, name, () => ({ ...key, ...noCounts(), cost: 0 }));
  if (row === undefined) return;
  add(row, counts);
  row.cost += cost;
}

export function createUsageCounts(db: PrismaClient): UsageCounts {
  let pending = nothingPending();

  let running: Promise<void> | undefined;
  const flushOnce = async () => {
    if (pending.hours.size === 0) return;
    const batch = pending;
    pending = nothingPending();
    try {
      // A batch counts completely or not at all.
      await db.$transaction([addHours(db, [...batch.hours.values()]), addDays(db, [...batch.days.values()])]);
    } catch (error) {
      // Store the batch with the next flush.
      for (const { team_id, hour, kind, ...counts } of batch.hours.values())
        addHour(pending, { team_id, hour, kind }, counts);
      for (const { team_id, day, subject, model, cost, ...counts } of batch.days.values())
        addDay(pending, { team_id, day, subject, model }, counts, cost);
      throw error;
    }
  };
  const flush = async () => {
    await running?.catch(() => undefined);
    running = flushOnce();
    await running;
  };

  return {
    count: ({ teamId, subject, model, kind, promptTokens, completionTokens, cost }, { failed, durationMs }) => {
      if (teamId === undefined) return;
      const counts = { ...noCounts(), requests: 1, errors: failed ? 1 : 0 };
      counts.prompt_tokens = promptTokens;
      counts.completion_tokens = completionTokens;
      if (durationMs !== undefined) counts.durations[bucketOf(durationMs)] = 1;
      const now = Date.now();
      addHour(pending, { team_id: teamId, hour: startOf(now, HOUR_MS), kind }, counts);
      addDay(pending, { team_id: teamId, day: startOf(now, DAY_MS), subject, model }, counts, Number(cost));
    },
    countTokens: ({ teamId, subject, model, promptTokens, completionTokens, cost }) => {
      const counts = { ...noCounts(), prompt_tokens: promptTokens, completion_tokens: completionTokens };
      const now = Date.now();
      addHour(pending, { team_id: teamId, hour: startOf(now, HOUR_MS), kind: 'chat' }, counts);
      addDay(pending, { team_id: teamId, day: startOf(now, DAY_MS), subject, model }, counts, Number(cost));
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

/** Deletes the rows older than the retention time. */
export async function purgeUsage(db: PrismaClient, retentionDays: number): Promise<void> {
  const before = new Date(Date.now() - retentionDays * DAY_MS);
  await db.$executeRaw`DELETE FROM usage_hours WHERE hour < ${before}`;
  await db.$executeRaw`DELETE FROM usage_days WHERE day < ${before}`;
}
