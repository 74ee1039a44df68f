import {
  type CancelTestRunRequest,
  type GetTestRunRequest,
  type ListTestChargesResponse,
  type ListTestResultsRequest,
  type ListTestRunsRequest,
  type ResolveTestChargesRequest,
  type ResolveTestChargesResponse,
  type StartTestRunRequest,
  TestOutcome,
  type TestRun as TestRunRecord,
  TestRunStatus,
  type TestSchedule as TestScheduleRecord,
} from '@lectern/contracts';
import { withheldText } from '@lectern/grounding';
import {
  type Caller,
  canonicalTimeZone,
  type Issue,
  invalidRequest,
  notFound,
  pageInfo,
  readPage,
  requireBackgroundWork,
  type ServiceCall,
} from '@lectern/service-kit';
import type { Context } from '#context';
import { readableDocumentsOf, sourcesOf } from '#conversations/readable-replies';
import { storedConfidence, storedUsage } from '#conversations/stored-reply';
import type { PrismaClient, TestCharge, TestResult, TestRun, TestSchedule } from '#gen/prisma/client';
import { ofTeam } from '#handlers/test-cases';
import { openCharges, resolveCharges } from '#test-runs/charge-store';
import { nextRun } from '#test-runs/next-run';
import { createRun } from '#test-runs/run-store';

const STATUSES = {
  queued: TestRunStatus.QUEUED,
  running: TestRunStatus.RUNNING,
  completed: TestRunStatus.COMPLETED,
  failed: TestRunStatus.FAILED,
  cancelled: TestRunStatus.CANCELLED,
} as const;

const OUTCOMES = { passed: TestOutcome.PASSED, failed: TestOutcome.FAILED, error: TestOutcome.ERROR } as const;

interface Summary {
  readonly runId: string;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  readonly regressions: number;
  readonly confidence: number | null;
  readonly tookMs: number | null;
  readonly promptTokens: bigint;
  readonly completionTokens: bigint;
}

/** Counts the results of runs. */
async function summarize(db: PrismaClient, runs: readonly TestRun[]): Promise<TestRunRecord[]> {
  const rows = await db.$queryRaw<Summary[]>`
    SELECT run_id AS "runId",
      (count(*) FILTER (WHERE outcome = 'passed'))::int AS passed,
      (count(*) FILTER (WHERE outcome = 'failed'))::int AS failed,
      (count(*) FILTER (WHERE outcome = 'error'))::int AS errors,
      (count(*) FILTER (WHERE regression))::int AS regressions,
      avg((confidence->>'score')::float8) AS confidence,
      (avg(took_ms) FILTER (WHERE outcome <> 'error'))::float8 AS "tookMs",
      coalesce(sum((usage->>'promptTokens')::bigint), 0)::bigint AS "promptTokens",
      coalesce(sum((usage->>'completionTokens')::bigint), 0)::bigint AS "completionTokens"
    FROM test_results WHERE run_id = ANY(${runs.map(({ id }) => id)}::text[]) GROUP BY run_id`;
  const summaries = new Map(rows.map((row) => [row.runId, row]));
  return runs.map((run) => {
    const summary = summaries.get(run.id);
    return {
      id: run.id,
      status: run.overBudget ? TestRunStatus.BUDGET_EXCEEDED : STATUSES[run.status],
      scheduled: run.scheduled,
      total: run.total,
      passed: summary?.passed ?? 0,
      failed: summary?.failed ?? 0,
      errors: summary?.errors ?? 0,
      regressions: summary?.regressions ?? 0,
      meanConfidence: summary?.confidence ?? undefined,
      meanTookMs: summary?.tookMs ?? undefined,
      promptTokens: Number(summary?.promptTokens ?? 0n),
      completionTokens: Number(summary?.completionTokens ?? 0n),
      error: run.error ?? undefined,
      chargedTo: run.subject ?? undefined,
      createdAt: run.createdAt,
      startedAt: run.startedAt ?? undefined,
      finishedAt: run.finishedAt ?? undefined,
    };
  });
}

async function toTestRun(db: PrismaClient, run: TestRun): Promise<TestRunRecord> {
  const [record] = await summarize(db, [run]);
  if (record === undefined) throw notFound('test_run', run.id);
  return record;
}

async function findRun({ testRun }: PrismaClient, { teamId }: Caller, id: string): Promise<TestRun> {
  const run = await testRun.findFirst({ where: { id, teamId } });
  if (run === null) throw notFound('test_run', id);
  return run;
}

export const startTestRun = ({ db }: Context) =>
  ofTeam(async ({ id }: StartTestRunRequest, { caller: { teamId, keyId = null } }) =>
    toTestRun(db, await db.$transaction((tx) => createRun(tx, teamId, { id, subject: keyId }))),
  );

export const listTestRuns = ({ db }: Context) =>
  ofTeam(async ({ page: request }: ListTestRunsRequest, { caller: { teamId } }) => {
    const page = readPage(request);
    const where = { teamId };
    const [runs, total] = await db.$transaction([
      db.testRun.findMany({
        where,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        skip: page.skip,
        take: page.take,
      }),
      db.testRun.count({ where }),
    ]);
    return { runs: await summarize(db, runs), page: pageInfo(page, total) };
  });

export const getTestRun = ({ db }: Context) =>
  ofTeam(async ({ id }: GetTestRunRequest, { caller }) => toTestRun(db, await findRun(db, caller, id)));

export const cancelTestRun = ({ db }: Context) =>
  ofTeam(async ({ id }: CancelTestRunRequest, { caller }) => {
    await findRun(db, caller, id);
    await db.testRun.updateMany({
      where: { id, teamId: caller.teamId, status: { in: ['queued', 'running'] } },
      data: { status: 'cancelled', finishedAt: new Date() },
    });
    return toTestRun(db, await findRun(db, caller, id));
  });

/** Lists results. Withholds replies that are based on documents the caller cannot read now. */
export const listTestResults = ({ db, services }: Context) =>
  ofTeam(async ({ runId, page: request, outcome, onlyRegressions }: ListTestResultsRequest, call) => {
    await findRun(db, call.caller, runId);
    const page = readPage(request);
    const name = (['passed', 'failed', 'error'] as const).find((key) => OUTCOMES[key] === outcome);
    const where = {
      runId,
      ...(name === undefined ? {} : { outcome: name }),
      ...(onlyRegressions ? { regression: true } : {}),
    };
    const [rows, total] = await db.$transaction([
      db.testResult.findMany({
        where,
        orderBy: [{ regression: 'desc' }, { outcome: 'desc' }, { createdAt: 'asc' }, { caseId: 'asc' }],
        skip: page.skip,
        take: page.take,
      }),
      db.testResult.count({ where }),
    ]);
    const readable = await readableDocumentsOf(services.for(call), rows);
    const results = rows.map((row) => toTestResult(row, readable));
    return { results, page: pageInfo(page, total) };
  });

function toTestResult(row: TestResult, readable: Awaited<ReturnType<typeof readableDocumentsOf>>) {
  const withheld = !readable.hasAll(row);
  return {
    testCaseId: row.caseId,
    question: row.question,
    outcome: OUTCOMES[row.outcome],
    regression: row.regression,
    failures: row.failures,
    refused: row.refused,
    rank: row.rank ?? undefined,
    confidence: withheld ? undefined : (storedConfidence.nullable().parse(row.confidence) ?? undefined),
    tookMs: row.tookMs,
    usage: storedUsage.nullable().catch(null).parse(row.usage) ?? undefined,
    content: withheld ? withheldText(row.content) : row.content,
    sources: sourcesOf(row.sources).filter(({ id }) => readable.has(id)),
    withheld,
    error: row.error ?? undefined,
  };
}

const DEFAULT_SCHEDULE = {
  enabled: false,
  weekday: null,
  time: '06:00',
  timeZone: 'UTC',
  nextAt: null,
  subject: null,
};

const toTestSchedule = ({ enabled, weekday, time, timeZone, nextAt, subject }: Omit<TestSchedule, 'teamId'>) => ({
  enabled,
  weekday: weekday ?? undefined,
  time,
  timeZone,
  nextRunAt: nextAt ?? undefined,
  chargedTo: subject ?? undefined,
});

export const getTestSchedule = ({ db }: Context) =>
  ofTeam(async (_request: unknown, { caller: { teamId } }) =>
    toTestSchedule((await db.testSchedule.findUnique({ where: { teamId } })) ?? DEFAULT_SCHEDULE),
  );

export const setTestSchedule = ({ db }: Context) =>
  ofTeam(async ({ enabled, weekday, time, timeZone: named }: TestScheduleRecord, { caller }) => {
    const { teamId, keyId: subject = null } = caller;
    const issues: Issue[] = [];
    const timeZone = canonicalTimeZone(named);
    if (timeZone === undefined) {
      issues.push({ path: 'timeZone', message: 'must be an IANA time zone, for example Europe/Berlin' });
    }
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) {
      issues.push({ path: 'time', message: 'must be a time from 00:00 to 23:59' });
    }
    if (weekday !== undefined && !(weekday >= 1 && weekday <= 7)) {
      issues.push({ path: 'weekday', message: 'must be from 1 (Monday) to 7 (Sunday)' });
    }
    if (timeZone === undefined || issues.length > 0) throw invalidRequest(issues);
    const schedule = { weekday: weekday ?? null, time, timeZone };
    const data = { ...schedule, enabled, subject, nextAt: enabled ? nextRun(schedule, new Date()) : null };
    return toTestSchedule(
      await db.testSchedule.upsert({ where: { teamId }, create: { teamId, ...data }, update: data }),
    );
  });

export const listTestCharges =
  ({ db }: Context) =>
  async (_request: unknown, { caller }: ServiceCall): Promise<ListTestChargesResponse> => {
    requireBackgroundWork(caller);
    return { charges: (await openCharges(db)).map(toTestCharge) };
  };

function toTestCharge({ id, teamId, subject, model, state, promptTokens, completionTokens, written }: TestCharge) {
  const isCounted = promptTokens !== null && completionTokens !== null;
  const usage = isCounted
    ? { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens }
    : undefined;
  return { id, teamId, subject, model, ended: state === 'ended', usage, written };
}

export const resolveTestCharges =
  ({ db }: Context) =>
  async (request: ResolveTestChargesRequest, { caller }: ServiceCall): Promise<ResolveTestChargesResponse> => {
    requireBackgroundWork(caller);
    return { notGranted: await resolveCharges(db, request) };
  };
