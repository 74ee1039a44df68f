import { AppError, newId } from '@lectern/service-kit';
import { Prisma, type PrismaClient, type TestCase, type TestRun } from '#gen/prisma/client';
import type { Failure } from '#test-runs/check-reply';
import { type LocalSchedule, nextRun } from '#test-runs/next-run';

/** A run without a heartbeat for this long is continued by another worker. */
export const LEASE_MS = 10_000;
/** A run that was interrupted this often fails. */
export const MAX_ATTEMPTS = 5;
/** Older runs of a team are deleted. */
const KEPT_RUNS = 400;
/** The schedules that one statement starts. */
const DUE_BATCH = 20;
const DAY_MS = 86_400_000;

const lease = Prisma.sql`now() + ${LEASE_MS / 1_000} * interval '1 second'`;

/** Creates a run of all test cases. Throws `conflict` while another one is active or without test cases. */
export async function createRun(
  tx: Prisma.TransactionClient,
  teamId: string,
  {
    id = newId('test_run'),
    scheduled = false,
    subject,
  }: { readonly id?: string | undefined; readonly scheduled?: boolean; readonly subject: string | null },
): Promise<TestRun> {
  const total = await tx.testCase.count({ where: { teamId } });
  if (total === 0) throw new AppError('conflict', 'There are no test cases. Create one first.');
  // Does nothing if the team has an active run.
  await tx.testRun.createMany({ data: [{ id, teamId, scheduled, total, subject }], skipDuplicates: true });
  const run = await tx.testRun.findFirst({ where: { id, teamId } });
  if (run === null) {
    throw new AppError('conflict', 'The test cases are running already. Wait for the run to end, or cancel it.');
  }
  return run;
}

/**
 * Starts the runs of schedules that are due, one per team, and sets their next time. A run that was
 * missed several times starts once. A schedule whose team has an active run waits for it.
 */
export async function startDueRuns(db: PrismaClient): Promise<void> {
  await db.$transaction(async (tx) => {
    const due = await tx.$queryRaw<{ readonly team_id: string }[]>`
      SELECT team_id FROM test_schedules AS schedule
      WHERE enabled AND next_at <= now() AND NOT EXISTS (
        SELECT 1 FROM test_runs WHERE team_id = schedule.team_id AND status IN ('queued', 'running'))
      ORDER BY next_at LIMIT ${DUE_BATCH} FOR UPDATE SKIP LOCKED`;
    const [clock] = await tx.$queryRaw<{ readonly now: Date }[]>`SELECT now()`;
    for (const { team_id: teamId } of due) {
      const schedule = await tx.testSchedule.findUniqueOrThrow({ where: { teamId } });
      if ((await tx.testCase.count({ where: { teamId } })) > 0) {
        await createRun(tx, teamId, { scheduled: true, subject: schedule.subject });
      }
      const nextAt = nextTime(schedule, clock?.now ?? new Date());
      await tx.testSchedule.update({ where: { teamId }, data: { nextAt } });
    }
  });
}

/** An unknown time zone, for example one that only a newer replica knows, must not block other teams. */
function nextTime(schedule: LocalSchedule, now: Date): Date {
  try {
    return nextRun(schedule, now);
  } catch {
    return new Date(now.getTime() + DAY_MS);
  }
}

/** Leases a run that is queued, or whose worker was lost. */
export async function leaseRun(db: PrismaClient, holder: string): Promise<TestRun | undefined> {
  const [row] = await db.$queryRaw<{ readonly id: string }[]>`
    UPDATE test_runs SET status = 'running', holder = ${holder}, leased_until = ${lease},
      attempts = attempts + 1, started_at = coalesce(started_at, now())
    WHERE id = (
      SELECT id FROM test_runs
      WHERE status = 'queued' OR (status = 'running' AND leased_until < now())
      ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  return row === undefined ? undefined : db.testRun.findUniqueOrThrow({ where: { id: row.id } });
}

/** Returns false if the run was cancelled or another worker has it. */
export async function renewRun(db: PrismaClient, id: string, holder: string): Promise<boolean> {
  const count = await db.$executeRaw`
    UPDATE test_runs SET leased_until = ${lease} WHERE id = ${id} AND holder = ${holder} AND status = 'running'`;
  return count > 0;
}

/** Lets another worker continue the run at once. It does not count as an interruption. */
export async function releaseRun(db: PrismaClient, id: string, holder: string): Promise<void> {
  await db.$executeRaw`
    UPDATE test_runs SET leased_until = now(), attempts = attempts - 1
    WHERE id = ${id} AND holder = ${holder} AND status = 'running'`;
}

/** Ends a run of this worker, and deletes the oldest runs of the team. */
export async function endRun(
  db: PrismaClient,
  { id, teamId }: TestRun,
  holder: string,
  outcome: { readonly status: 'completed' | 'failed'; readonly error?: string; readonly overBudget?: boolean },
): Promise<void> {
  const { status, error = null, overBudget = false } = outcome;
  await db.testRun.updateMany({
    where: { id, holder, status: 'running' },
    data: { status, error, overBudget, finishedAt: new Date() },
  });
  await db.$executeRaw`
    DELETE FROM test_runs WHERE id IN (
      SELECT id FROM test_runs WHERE team_id = ${teamId} ORDER BY created_at DESC, id DESC OFFSET ${KEPT_RUNS})`;
}

/** Returns the test cases that existed when the run was created and have no result yet, oldest first. */
export function remainingCases(db: PrismaClient, { id, teamId, createdAt, total }: TestRun): Promise<TestCase[]> {
  return db.$queryRaw<TestCase[]>`
    SELECT id, team_id AS "teamId", question, collections, expects_refusal AS "expectsRefusal", documents, texts,
      user_email AS "userEmail", message_id AS "messageId", created_at AS "createdAt", updated_at AS "updatedAt"
    FROM test_cases
    WHERE team_id = ${teamId} AND created_at <= ${createdAt}
      AND NOT EXISTS (SELECT 1 FROM test_results WHERE run_id = ${id} AND case_id = test_cases.id)
    ORDER BY created_at, id LIMIT ${total}`;
}

/** A result to store. */
export interface NewResult {
  readonly outcome: 'passed' | 'failed' | 'error';
  readonly failures: readonly Failure[];
  readonly refused: boolean;
  readonly rank: number | null;
  readonly confidence: object | null;
  readonly tookMs: number;
  readonly usage: object | null;
  readonly content: string;
  readonly sources: readonly object[];
  readonly documents: readonly string[];
  readonly error: string | null;
}

/**
 * Stores a result while this worker has the run. It is a regression if it failed, and the last result
 * of the same question in an earlier run, errors aside, passed.
 */
export async function saveResult(
  db: PrismaClient,
  runId: string,
  holder: string,
  { id, question }: TestCase,
  result: NewResult,
): Promise<void> {
  const { outcome, failures, refused, rank, tookMs, content, documents, error } = result;
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await db.$executeRaw`
    INSERT INTO test_results (run_id, case_id, question, outcome, regression, failures, refused, rank, confidence,
      took_ms, usage, content, sources, documents, error)
    SELECT id, ${id}, ${question}, ${outcome}::test_outcome,
      ${outcome} = 'failed' AND coalesce((
        SELECT outcome = 'passed' FROM test_results AS earlier
        WHERE earlier.case_id = ${id} AND earlier.run_id <> test_runs.id AND earlier.outcome <> 'error'
        ORDER BY earlier.created_at DESC LIMIT 1), false),
      ${[...failures]}::text[], ${refused}, ${rank}::int, ${json(result.confidence)}::jsonb, ${tookMs}::int,
      ${json(result.usage)}::jsonb, ${content}, ${json(result.sources)}::jsonb, ${[...documents]}::text[], ${error}
    FROM test_runs WHERE id = ${runId} AND holder = ${holder} AND status = 'running'
    ON CONFLICT (run_id, case_id) DO NOTHING`;
}
