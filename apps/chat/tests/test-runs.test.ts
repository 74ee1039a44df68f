import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type TestCaseInput,
  type TestCaseServiceDefinition,
  type TestCharge,
  TestOutcome,
  type TestRun,
  TestRunStatus,
} from '@lectern/contracts';
import { type Caller, type GrpcClient, newId, systemCaller } from '@lectern/service-kit';
import { callAs, createCaller, waitUntil } from '@lectern/testing';
import { requestCharge, Undecided } from '#test-runs/charge-store';
import { scriptedModel } from './scripted-model.ts';
import { startSystem, type TestSystem } from './system.ts';

const LEAVE = 'Every employee gets 30 vacation days a year. Unused vacation days expire at the end of March.';
const QUESTION = 'How many vacation days do I get?';
const ENDED: readonly TestRunStatus[] = [
  TestRunStatus.COMPLETED,
  TestRunStatus.FAILED,
  TestRunStatus.CANCELLED,
  TestRunStatus.BUDGET_EXCEEDED,
];

/** The charges that the gateway received, and how many it grants to each payer. */
const charges: TestCharge[] = [];
const grants = new Map<string, number>();
const REASON = 'The budget is used up: 1 token. An admin can raise it.';

/** The payers whose charges get no decision. */
const undecided = new Set<string>();

function decide(charge: TestCharge): string | undefined | null {
  charges.push(charge);
  if (charge.ended) return undefined;
  if (undecided.has(charge.subject)) return null;
  const left = grants.get(charge.subject) ?? Number.POSITIVE_INFINITY;
  if (left <= 0) return REASON;
  grants.set(charge.subject, left - 1);
  return undefined;
}
const chargesOf = (subject: string | undefined) => charges.filter((charge) => charge.subject === subject);

let system: TestSystem;
let cases: GrpcClient<typeof TestCaseServiceDefinition>;
beforeAll(async () => {
  system = await startSystem({}, decide);
  cases = system.testCases;
});
afterAll(() => system.stop());

const input = (more: Partial<TestCaseInput> = {}): TestCaseInput => ({
  question: QUESTION,
  collectionIds: [],
  expectsRefusal: false,
  documentIds: [],
  texts: [],
  user: undefined,
  ...more,
});
const create = (caller: Caller, more: Partial<TestCaseInput> = {}) =>
  cases.createTestCase({ testCase: input(more) }, callAs(caller));

async function ended(caller: Caller, { id }: TestRun): Promise<TestRun> {
  let run = await cases.getTestRun({ id }, callAs(caller));
  const hasEnded = async () => {
    run = await cases.getTestRun({ id }, callAs(caller));
    return ENDED.includes(run.status);
  };
  await waitUntil(hasEnded, { what: 'the test run to end', timeoutMs: 30_000 });
  return run;
}
const run = async (caller: Caller) => ended(caller, await cases.startTestRun({}, callAs(caller)));
const resultsOf = async (caller: Caller, { id: runId }: TestRun) =>
  (await cases.listTestResults({ runId, onlyRegressions: false }, callAs(caller))).results;
const documentId = async (caller: Caller, collectionId: string) =>
  (await system.documents.listDocuments({ collectionId }, callAs(caller))).documents[0]?.id ?? '';

describe('test cases', () => {
  it('pass or fail by whether the reply answers, cites and contains what is expected', async () => {
    const caller = createCaller();
    const collection = await system.addCollection(caller, 'Handbook', { Vacation: LEAVE });
    const document = await documentId(caller, collection);
    await create(caller, { documentIds: [document], texts: ['30 vacation days'] });
    await create(caller, { question: 'Which telescope discovered Neptune?', expectsRefusal: true });
    await create(caller, { texts: ['31 vacation days'] });
    const done = await run(caller);
    expect(done).toMatchObject({ status: TestRunStatus.COMPLETED, total: 3, passed: 2, failed: 1, errors: 0 });
    expect(done.meanConfidence).toBeGreaterThan(0);
    const results = await resultsOf(caller, done);
    expect(results.map(({ outcome, failures, refused, rank }) => ({ outcome, failures, refused, rank }))).toEqual(
      expect.arrayContaining([
        { outcome: TestOutcome.PASSED, failures: [], refused: false, rank: 1 },
        { outcome: TestOutcome.PASSED, failures: [], refused: true, rank: undefined },
        { outcome: TestOutcome.FAILED, failures: ['text_missing'], refused: false, rank: undefined },
      ]),
    );
    expect(results[0]?.outcome).toBe(TestOutcome.FAILED);
    expect((await system.chat.listConversations({}, callAs(caller))).conversations).toEqual([]);
  });

  it('regress if they passed before and fail now', async () => {
    const caller = createCaller();
    const collection = await system.addCollection(caller, 'Handbook', { Vacation: LEAVE });
    const document = await documentId(caller, collection);
    await create(caller);
    expect(await run(caller)).toMatchObject({ passed: 1, regressions: 0 });
    await system.documents.deleteDocument({ id: document }, callAs(caller));
    const failed = await run(caller);
    expect(failed).toMatchObject({ failed: 1, regressions: 1 });
    expect(await resultsOf(caller, failed)).toMatchObject([{ regression: true, failures: ['refused'] }]);
    expect(await run(caller)).toMatchObject({ failed: 1, regressions: 0 });
    const { runs, page } = await cases.listTestRuns({}, callAs(caller));
    expect([page?.total, runs.map(({ regressions }) => regressions)]).toEqual([3, [0, 1, 0]]);
  });

  it('have the access of the person who last changed them', async () => {
    const team = createCaller();
    const ada: Caller = { ...team, userEmail: 'ada@example.com', mayManage: true };
    const grace: Caller = { ...team, userEmail: 'grace@example.com', mayManage: true };
    const { id: collectionId } = await system.collections.createCollection({ name: 'HR' }, callAs(team));
    const document = { collectionId, title: 'Vacation', content: LEAVE, principals: ['user:ada@example.com'] };
    await system.documents.createDocument(document, callAs(team));
    await waitUntil(
      async () => (await system.documents.getIndexingState({ collectionIds: [] }, callAs(team))).searchable,
      { what: 'the document to be indexed', timeoutMs: 20_000 },
    );
    const { id, user } = await create(ada, { texts: ['30 vacation days'] });
    expect(user).toBe('ada@example.com');
    const byAda = await run(grace);
    expect(await resultsOf(ada, byAda)).toMatchObject([{ outcome: TestOutcome.PASSED, withheld: false }]);
    const [seen] = await resultsOf(grace, byAda);
    expect(seen).toMatchObject({ outcome: TestOutcome.PASSED, withheld: true, sources: [] });
    expect(JSON.stringify(seen)).not.toContain('30 vacation');
    const changed = await cases.updateTestCase(
      { id, user: 'ada@example.com', texts: { values: ['30'] } },
      callAs(grace),
    );
    expect(changed.user).toBe('grace@example.com');
    expect(await resultsOf(ada, await run(ada))).toMatchObject([{ outcome: TestOutcome.FAILED }]);
    await expect(create(grace, { user: 'ada@example.com' })).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('are refused to end users and to keys of restricted scope', async () => {
    const caller = createCaller();
    const user: Caller = { ...caller, userEmail: 'ada@example.com' };
    const scoped: Caller = { ...caller, scope: { kind: 'only', ids: [] } };
    for (const other of [user, scoped]) {
      await expect(create(other)).rejects.toMatchObject({ code: 'forbidden' });
      await expect(cases.listTestRuns({}, callAs(other))).rejects.toMatchObject({ code: 'forbidden' });
    }
  });

  it('belong to their team', async () => {
    const caller = createCaller();
    const other = createCaller();
    const { id } = await create(caller);
    const started = await cases.startTestRun({}, callAs(caller));
    const calls = [
      cases.getTestCase({ id }, callAs(other)),
      cases.updateTestCase({ id, question: 'x' }, callAs(other)),
      cases.deleteTestCase({ id }, callAs(other)),
      cases.getTestRun({ id: started.id }, callAs(other)),
      cases.cancelTestRun({ id: started.id }, callAs(other)),
      cases.listTestResults({ runId: started.id, onlyRegressions: false }, callAs(other)),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'not_found' });
    expect((await cases.listTestCases({}, callAs(other))).testCases).toEqual([]);
    expect((await cases.exportTestCases({}, callAs(other))).testCases).toEqual([]);
    await ended(caller, started);
  });

  it('are imported completely or not at all, and keep their id if the question is known', async () => {
    const caller = createCaller();
    const { id } = await create(caller);
    await create(caller, { question: 'Old?' });
    const testCases = [input({ texts: ['30'] }), input({ question: 'New?' })];
    await expect(
      cases.importTestCases({ testCases: [...testCases, input({ question: ' ' })], replace: true }, callAs(caller)),
    ).rejects.toMatchObject({ code: 'invalid_request' });
    const imported = await cases.importTestCases({ testCases, replace: true }, callAs(caller));
    expect(imported).toEqual({ created: 1, updated: 1, deleted: 1 });
    const exported = (await cases.exportTestCases({}, callAs(caller))).testCases;
    expect(exported.map(({ question, texts }) => [question, texts])).toEqual([
      [QUESTION, ['30']],
      ['New?', []],
    ]);
    expect(exported[0]?.id).toBe(id);
  });

  it('are limited to 1,000 per team', async () => {
    const caller = createCaller();
    const testCases = Array.from({ length: 1_000 }, (_, n) => input({ question: `Question ${n}?` }));
    await cases.importTestCases({ testCases, replace: false }, callAs(caller));
    await expect(create(caller)).rejects.toMatchObject({ code: 'conflict' });
    await system.query(`DELETE FROM test_cases WHERE team_id = '${caller.teamId}'`);
  });
});

describe('a test run', () => {
  it('needs test cases, and runs once at a time', async () => {
    const caller = createCaller();
    await expect(cases.startTestRun({}, callAs(caller))).rejects.toMatchObject({ code: 'conflict' });
    await create(caller);
    const results = await Promise.allSettled([1, 2, 3].map(() => cases.startTestRun({}, callAs(caller))));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { runs } = await cases.listTestRuns({}, callAs(caller));
    expect(runs).toHaveLength(1);
    await ended(caller, runs[0]!);
  });

  it('continues with the remaining test cases when its worker was lost', async () => {
    const caller = createCaller();
    const first = await create(caller);
    await create(caller, { question: 'Which telescope?' });
    const id = newId('test_run');
    await system.query(`
      INSERT INTO test_runs (id, team_id, status, total, attempts, holder, leased_until, started_at)
      VALUES ('${id}', '${caller.teamId}', 'running', 2, 1, 'lost', now() - interval '1 second', now())`);
    await system.query(`
      INSERT INTO test_results (run_id, case_id, question, outcome, took_ms)
      VALUES ('${id}', '${first.id}', 'Stored before', 'passed', 7)`);
    const done = await ended(caller, await cases.getTestRun({ id }, callAs(caller)));
    expect(done).toMatchObject({ status: TestRunStatus.COMPLETED, passed: 1, failed: 1 });
    expect((await resultsOf(caller, done)).map(({ question }) => question)).toContain('Stored before');
  });

  it('fails with the reason after it was interrupted five times', async () => {
    const caller = createCaller();
    await create(caller);
    const id = newId('test_run');
    await system.query(`
      INSERT INTO test_runs (id, team_id, status, total, attempts, holder, leased_until, started_at)
      VALUES ('${id}', '${caller.teamId}', 'running', 1, 5, 'lost', now() - interval '1 second', now())`);
    const done = await ended(caller, await cases.getTestRun({ id }, callAs(caller)));
    expect(done).toMatchObject({ status: TestRunStatus.FAILED, error: expect.stringContaining('interrupted 5 times') });
  });

  it('fails after an hour', async () => {
    const caller = createCaller();
    await create(caller);
    const id = newId('test_run');
    await system.query(`
      INSERT INTO test_runs (id, team_id, status, total, attempts, holder, leased_until, started_at)
      VALUES ('${id}', '${caller.teamId}', 'running', 1, 1, 'lost', now() - interval '1 second',
        now() - interval '61 minutes')`);
    const done = await ended(caller, await cases.getTestRun({ id }, callAs(caller)));
    expect(done).toMatchObject({ status: TestRunStatus.FAILED, error: expect.stringContaining('60 minutes') });
  });

  it('can be cancelled while a model writes, and stores nothing afterwards', async () => {
    const caller = createCaller();
    await create(caller);
    const model = scriptedModel(['Thirty ', 'days.']);
    const isolated = await startSystem({ models: model.models });
    try {
      await isolated.testCases.createTestCase({ testCase: input() }, callAs(caller));
      const started = await isolated.testCases.startTestRun({}, callAs(caller));
      await model.waiting();
      const cancelled = await isolated.testCases.cancelTestRun({ id: started.id }, callAs(caller));
      expect(cancelled.status).toBe(TestRunStatus.CANCELLED);
      await model.aborted();
      const results = await isolated.testCases.listTestResults(
        { runId: started.id, onlyRegressions: false },
        callAs(caller),
      );
      expect(results.results).toEqual([]);
    } finally {
      await isolated.stop();
    }
  });

  it('reports a test case without a reply as an error, not as a regression', async () => {
    const caller = createCaller();
    const collectionId = await system.addCollection(caller, 'Handbook', { Vacation: LEAVE });
    await create(caller, { collectionIds: [collectionId] });
    expect(await run(caller)).toMatchObject({ passed: 1 });
    await system.collections.deleteCollection({ id: collectionId }, callAs(caller));
    const done = await run(caller);
    expect(done).toMatchObject({ errors: 1, regressions: 0 });
    expect(await resultsOf(caller, done)).toMatchObject([{ error: expect.stringContaining(collectionId) }]);
  });
});

describe('a schedule', () => {
  const everyDay = {
    enabled: true,
    weekday: undefined,
    time: '06:00',
    timeZone: 'europe/berlin',
    nextRunAt: undefined,
  };

  it('is off by default, and shows its next run', async () => {
    const caller = createCaller();
    expect(await cases.getTestSchedule({}, callAs(caller))).toMatchObject({ enabled: false, timeZone: 'UTC' });
    const stored = await cases.setTestSchedule(everyDay, callAs(caller));
    expect(stored).toMatchObject({ enabled: true, timeZone: 'Europe/Berlin', nextRunAt: expect.any(Date) });
    expect(stored.nextRunAt!.getTime()).toBeGreaterThan(Date.now());
    const off = await cases.setTestSchedule({ ...everyDay, enabled: false }, callAs(caller));
    expect(off.nextRunAt).toBeUndefined();
  });

  it.each([
    [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
    [{ time: '24:00' }, 'time'],
    [{ weekday: 8 }, 'weekday'],
  ])('rejects %j', async (change, path) => {
    await expect(cases.setTestSchedule({ ...everyDay, ...change }, callAs(createCaller()))).rejects.toMatchObject({
      code: 'invalid_request',
      details: { issues: [{ path }] },
    });
  });

  it('starts one run for all missed times, on one of two replicas', async () => {
    const caller = createCaller();
    await create(caller);
    const replica = await system.startAnother({}, {});
    try {
      await cases.setTestSchedule(everyDay, callAs(caller));
      await system.query(
        `UPDATE test_schedules SET next_at = now() - interval '5 days' WHERE team_id = '${caller.teamId}'`,
      );
      let runs: readonly TestRun[] = [];
      await waitUntil(
        async () => {
          runs = (await cases.listTestRuns({}, callAs(caller))).runs;
          return runs.some(({ status }) => ENDED.includes(status));
        },
        { what: 'the scheduled run to end', timeoutMs: 20_000 },
      );
      expect(runs).toMatchObject([{ scheduled: true, status: TestRunStatus.COMPLETED }]);
      const { nextRunAt } = await cases.getTestSchedule({}, callAs(caller));
      expect(nextRunAt!.getTime()).toBeGreaterThan(Date.now());
    } finally {
      await replica.stop();
    }
  });
});

describe('the budget of a run', () => {
  const questions = (count: number) => Array.from({ length: count }, (_, n) => `${QUESTION} ${n}`);
  const createAll = async (caller: Caller, count: number) => {
    for (const question of questions(count)) await create(caller, { question });
  };

  it('is that of the key or person who started it, for each question with its tokens and model', async () => {
    const caller = createCaller();
    await system.addCollection(caller, 'Handbook', { Vacation: LEAVE });
    await createAll(caller, 3);
    const done = await run(caller);
    expect(done).toMatchObject({ status: TestRunStatus.COMPLETED, chargedTo: caller.keyId });
    const results = await resultsOf(caller, done);
    const settled = () => chargesOf(caller.keyId).filter(({ ended }) => ended);
    const ids = () => new Set(settled().map(({ id }) => id));
    await waitUntil(() => ids().size === 3, { what: 'the charges', timeoutMs: 10_000 });
    expect(settled()).toEqual(
      expect.arrayContaining(
        results.map(({ usage }) =>
          expect.objectContaining({ usage, model: 'builtin-extractive', teamId: caller.teamId }),
        ),
      ),
    );
  });

  it('ends the run with a clear state when it is used up, and keeps the results so far', async () => {
    const caller = createCaller();
    await createAll(caller, 6);
    grants.set(caller.keyId ?? '', 2);
    const done = await run(caller);
    expect(done).toMatchObject({ status: TestRunStatus.BUDGET_EXCEEDED, error: REASON, total: 6 });
    expect(await resultsOf(caller, done)).toHaveLength(2);
    grants.delete(caller.keyId ?? '');
    expect(await run(caller)).toMatchObject({ status: TestRunStatus.COMPLETED });
    expect(await system.query("DELETE FROM test_charges WHERE state <> 'ended'")).toBe(0);
  });

  it('of a scheduled run is that of whoever stored the schedule last', async () => {
    const team = createCaller();
    const [ada, grace]: Caller[] = [newId('person'), newId('person')].map((keyId) => ({
      ...team,
      keyId,
      userEmail: `${keyId}@example.com`,
      mayManage: true,
    }));
    if (ada === undefined || grace === undefined) throw new TypeError('unreachable');
    await create(ada);
    const schedule = { enabled: true, weekday: undefined, time: '06:00', timeZone: 'UTC' };
    const request = { ...schedule, nextRunAt: undefined, chargedTo: ada.keyId };
    expect(await cases.setTestSchedule(request, callAs(ada))).toMatchObject({ chargedTo: ada.keyId });
    expect(await cases.setTestSchedule(request, callAs(grace))).toMatchObject({ chargedTo: grace.keyId });
    await system.query(`UPDATE test_schedules SET next_at = now() WHERE team_id = '${team.teamId}'`);
    const runs = async () => (await cases.listTestRuns({}, callAs(ada))).runs;
    await waitUntil(async () => (await runs()).length === 1, { what: 'the run', timeoutMs: 20_000 });
    expect((await runs())[0]).toMatchObject({ scheduled: true, chargedTo: grace.keyId });
    const [started] = await runs();
    if (started !== undefined) await ended(ada, started);
    expect([chargesOf(ada.keyId).length, chargesOf(grace.keyId).length > 0]).toEqual([0, true]);
  });

  it('fails the run with the reason if no gateway decides for an hour', async () => {
    const caller = createCaller();
    await create(caller);
    const id = newId('test_run');
    undecided.add(caller.keyId ?? '');
    await system.query(`
      INSERT INTO test_runs (id, team_id, subject, status, total, attempts, holder, leased_until, started_at)
      VALUES ('${id}', '${caller.teamId}', '${caller.keyId}', 'running', 1, 1, 'lost', now() - interval '1 second',
        now() - interval '59 minutes 55 seconds')`);
    const done = await ended(caller, await cases.getTestRun({ id }, callAs(caller)));
    expect(done).toMatchObject({ status: TestRunStatus.FAILED, error: expect.stringContaining('No gateway decided') });
  });

  it('is looked up less and less often while no gateway decides', async () => {
    const { teamId } = createCaller();
    const subject = newId('person');
    undecided.add(subject);
    let lookups = 0;
    const db = system.db.$extends({
      query: {
        testCharge: {
          findUnique: ({ args, query }) => {
            lookups += 1;
            return query(args);
          },
        },
      },
    }) as unknown as TestSystem['db'];
    const signal = AbortSignal.timeout(1_500);
    await expect(requestCharge(db, { teamId, subject }, 'm', signal)).rejects.toThrow(Undecided);
    expect(lookups).toBeLessThanOrEqual(6);
  });

  it('reports the grants that came after a refusal or a settlement', async () => {
    const [open, refused, over, settled] = ['open', 'refused', 'ended', 'settled'].map(() => newId('request'));
    const states = { [`${open}`]: 'granted', [`${refused}`]: 'refused', [`${over}`]: 'ended' };
    for (const [id, state] of Object.entries(states)) {
      await system.query(`
        INSERT INTO test_charges (id, team_id, subject, model, state, written)
        VALUES ('${id}', 'team', 'late', 'm', '${state}', 0)`);
    }
    const granted = [`${open}`, `${refused}`, `${over}`, `${settled}`];
    const request = { granted, refused: [], settled: [] };
    const { notGranted } = await cases.resolveTestCharges(request, callAs(systemCaller('gateway')));
    // The charging of this test may have settled the ended one already.
    expect(notGranted.filter((id) => id !== over)).toEqual([refused, settled]);
    await system.query("DELETE FROM test_charges WHERE subject = 'late'");
  });

  it('is read and decided only by background work, which passes the charges of all teams', async () => {
    const nothing = { granted: [], refused: [], settled: [] };
    for (const caller of [createCaller(), { ...createCaller(), userEmail: 'ada@example.com', mayManage: true }]) {
      await expect(cases.listTestCharges({}, callAs(caller))).rejects.toMatchObject({ code: 'forbidden' });
      await expect(cases.resolveTestCharges(nothing, callAs(caller))).rejects.toMatchObject({ code: 'forbidden' });
    }
  });
});
