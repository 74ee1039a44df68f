import { testCases } from '@lectern/api-spec';
import { TestOutcome } from '@lectern/contracts';
import { idOf, onBehalfOf } from '@lectern/service-kit';
import { requireBudget } from '#budgets/meter';
import { data, page } from '#http/api-response';
import { orEmpty } from '#operations/convert';
import {
  exportedTestCase,
  testCaseInput,
  testCaseRecord,
  testResult,
  testRunRecord,
  testSchedule,
} from '#operations/test-cases/mapping';
import { readTestCaseLines } from '#operations/test-cases/read-lines';
import { route } from '#pipeline/operation';

const OUTCOMES = { passed: TestOutcome.PASSED, failed: TestOutcome.FAILED, error: TestOutcome.ERROR } as const;

export const testCaseRoutes = [
  route(testCases.listTestCases, async (ctx, { query: { query, ...paging } }, call) => {
    const response = await ctx.clients.testCases.listTestCases({ query, page: paging }, onBehalfOf(call));
    return page(response.testCases.map(testCaseRecord), response.page);
  }),

  route(testCases.createTestCase, async (ctx, { body: { messageId, ...body } }, call) => {
    const request = { testCase: testCaseInput(body), messageId, id: idOf('test_case', call.seed) };
    return data(testCaseRecord(await ctx.clients.testCases.createTestCase(request, onBehalfOf(call))));
  }),

  route(testCases.importTestCases, async (ctx, { body: { text, replace } }, call) => {
    const request = { testCases: readTestCaseLines(text), replace };
    const { created, updated, deleted } = await ctx.clients.testCases.importTestCases(request, onBehalfOf(call));
    return data({ created, updated, deleted });
  }),

  route(testCases.exportTestCases, async (ctx, _input, call) => {
    const { testCases: all } = await ctx.clients.testCases.exportTestCases({}, onBehalfOf(call));
    return data({ count: all.length, text: all.map((row) => `${exportedTestCase(row)}\n`).join('') });
  }),

  route(testCases.getTestCase, async (ctx, { params }, call) =>
    data(testCaseRecord(await ctx.clients.testCases.getTestCase(params, onBehalfOf(call)))),
  ),

  route(
    testCases.updateTestCase,
    async (ctx, { params, body: { question, collections, expect, documents, texts, user } }, call) => {
      const request = {
        ...params,
        question,
        collectionIds: collections && { values: collections },
        expectsRefusal: expect && expect === 'refusal',
        documentIds: documents && { values: documents },
        texts: texts && { values: texts },
        user: orEmpty(user),
      };
      return data(testCaseRecord(await ctx.clients.testCases.updateTestCase(request, onBehalfOf(call))));
    },
  ),

  route(testCases.deleteTestCase, async (ctx, { params }, call) => {
    const { id } = await ctx.clients.testCases.deleteTestCase(params, onBehalfOf(call));
    return data({ id, deleted: true });
  }),

  route(testCases.startTestRun, async (ctx, _input, call) => {
    await requireBudget(ctx, call);
    const request = { id: idOf('test_run', call.seed) };
    return data(testRunRecord(await ctx.clients.testCases.startTestRun(request, onBehalfOf(call))));
  }),

  route(testCases.listTestRuns, async (ctx, { query }, call) => {
    const response = await ctx.clients.testCases.listTestRuns({ page: query }, onBehalfOf(call));
    return page(response.runs.map(testRunRecord), response.page);
  }),

  route(testCases.getTestRun, async (ctx, { params }, call) =>
    data(testRunRecord(await ctx.clients.testCases.getTestRun(params, onBehalfOf(call)))),
  ),

  route(testCases.cancelTestRun, async (ctx, { params }, call) =>
    data(testRunRecord(await ctx.clients.testCases.cancelTestRun(params, onBehalfOf(call)))),
  ),

  route(testCases.listTestResults, async (ctx, { params, query: { outcome, regression, ...paging } }, call) => {
    const only = outcome === undefined ? {} : { outcome: OUTCOMES[outcome] };
    const request = { runId: params.id, page: paging, onlyRegressions: regression, ...only };
    const response = await ctx.clients.testCases.listTestResults(request, onBehalfOf(call));
    return page(response.results.map(testResult), response.page);
  }),

  route(testCases.getTestSchedule, async (ctx, _input, call) =>
    data(testSchedule(await ctx.clients.testCases.getTestSchedule({}, onBehalfOf(call)))),
  ),

  route(testCases.setTestSchedule, async (ctx, { body }, call) => {
    const request = { ...body, weekday: body.weekday ?? undefined };
    return data(testSchedule(await ctx.clients.testCases.setTestSchedule(request, onBehalfOf(call))));
  }),
];
