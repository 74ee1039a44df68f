import type { testCases } from '@lectern/api-spec';
import {
  type TestCase,
  type TestCaseInput,
  TestOutcome,
  type TestResult,
  type TestRun,
  TestRunStatus,
  type TestSchedule,
} from '@lectern/contracts';
import type { z } from 'zod';
import { confidence, source, usage } from '#operations/chat/mapping';
import { enumText, time } from '#operations/convert';

export function testCaseRecord(row: TestCase) {
  return {
    id: row.id,
    question: row.question,
    collections: row.collectionIds,
    expect: row.expectsRefusal ? 'refusal' : 'answer',
    documents: row.documentIds,
    texts: row.texts,
    user: row.user ?? null,
    messageId: row.messageId ?? null,
    createdAt: time(row.createdAt),
    updatedAt: time(row.updatedAt),
  };
}

/** A line of an export. */
export function exportedTestCase({ question, collectionIds, expectsRefusal, documentIds, texts, user }: TestCase) {
  const expect = expectsRefusal ? 'refusal' : 'answer';
  return JSON.stringify({ question, collections: collectionIds, expect, documents: documentIds, texts, user });
}

export function testCaseInput({
  question,
  collections,
  expect,
  documents,
  texts,
  user,
}: z.output<typeof testCases.importedTestCase>): TestCaseInput {
  return {
    question,
    collectionIds: collections,
    expectsRefusal: expect === 'refusal',
    documentIds: documents,
    texts,
    user: user ?? undefined,
  };
}

export function testRunRecord(run: TestRun) {
  return {
    id: run.id,
    status: enumText(TestRunStatus, run.status),
    scheduled: run.scheduled,
    total: run.total,
    passed: run.passed,
    failed: run.failed,
    errors: run.errors,
    regressions: run.regressions,
    meanConfidence: run.meanConfidence ?? null,
    meanTookMs: run.meanTookMs ?? null,
    promptTokens: run.promptTokens,
    completionTokens: run.completionTokens,
    error: run.error ?? null,
    chargedTo: run.chargedTo ?? null,
    createdAt: time(run.createdAt),
    startedAt: time(run.startedAt),
    finishedAt: time(run.finishedAt),
  };
}

export function testResult(result: TestResult) {
  return {
    testCaseId: result.testCaseId,
    question: result.question,
    outcome: enumText(TestOutcome, result.outcome),
    regression: result.regression,
    failures: result.failures,
    refused: result.refused,
    rank: result.rank ?? null,
    answer_confidence: confidence(result.confidence),
    tookMs: result.tookMs,
    usage: usage(result.usage),
    content: result.content,
    sources: result.sources.map(source),
    withheld: result.withheld,
    error: result.error ?? null,
  };
}

export function testSchedule({ enabled, weekday, time: at, timeZone, nextRunAt, chargedTo }: TestSchedule) {
  const next = { nextRunAt: time(nextRunAt), chargedTo: chargedTo ?? null };
  return { enabled, weekday: weekday ?? null, time: at, timeZone, ...next };
}
