import { newEvent, recordEvents } from '@lectern/events';
import type { TokenUsage } from '@lectern/llm';
import type { Caller } from '@lectern/service-kit';
import { z } from 'zod';
import { endApprovals } from '#approvals/approval-rows';
import type { Agent, Prisma, PrismaClient, Run } from '#gen/prisma/client';
import type { LoopStep } from '#loop/loop-event';
import type { LimitName } from '#loop/run-limits';
import type { Recalled } from '#memories/memories';

/** The states of a run. */
export type RunState = 'running' | 'completed' | 'limited' | 'cancelled' | 'failed' | 'timed_out';

/** A run that starts. */
export interface NewRun {
  readonly id: string;
  readonly agentId: string;
  readonly conversationId: string | undefined;
  readonly message: string;
  readonly model: string;
  readonly documents: string[];
}

/** How a run ended. */
export interface RunEnding {
  readonly status: Exclude<RunState, 'running'>;
  readonly content: string;
  readonly usage: TokenUsage;
  readonly limit?: LimitName | undefined;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Replaces U+0000, which PostgreSQL cannot store. */
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD');

/** Converts a value to storable JSON. */
function asJson(value: unknown): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '\\ufffd'));
}

/** Stores a run before it starts. */
export async function insertRun(db: PrismaClient, { teamId, keyId, userEmail }: Caller, run: NewRun): Promise<void> {
  await db.run.create({
    data: {
      ...run,
      conversationId: run.conversationId ?? null,
      teamId,
      keyId: keyId ?? null,
      userEmail: userEmail ?? null,
      status: 'running',
    },
  });
}

/** Stores the memories that a run recalled. */
export async function saveRecalledMemories(db: PrismaClient, id: string, memories: readonly Recalled[]): Promise<void> {
  if (memories.length > 0) await db.run.updateMany({ where: { id }, data: { memories: asJson(memories) } });
}

/** Records the documents that a run has read, before any text from them is stored. */
export async function saveReadDocuments(db: PrismaClient, id: string, documents: ReadonlySet<string>): Promise<void> {
  await db.run.updateMany({ where: { id }, data: { documents: [...documents] } });
}

/** Stores or updates a step. */
export async function saveStep(db: PrismaClient, runId: string, step: LoopStep): Promise<void> {
  const { number, usage } = step;
  const data = {
    thought: storable(step.thought),
    calls: asJson(step.calls),
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    startedAt: step.startedAt,
    completedAt: step.completedAt ?? null,
  };
  await db.runStep.upsert({
    where: { runId_number: { runId, number } },
    create: { runId, number, ...data },
    update: data,
  });
}

/** Stores the end of a run, unless it has already ended. */
export async function endRun(db: PrismaClient, id: string, ending: RunEnding): Promise<void> {
  const { status, content, usage, limit, error } = ending;
  await db.$transaction(async (tx) => {
    await endApprovals(tx, id);
    const ended = await tx.run.updateManyAndReturn({
      where: { id, status: 'running' },
      data: {
        status,
        content: storable(content),
        promptTokens: usage.promptTokens,
        completionTokens: usage.completionTokens,
        limit: limit ?? null,
        ...(error === undefined ? {} : { error: asJson(error) }),
        completedAt: new Date(),
      },
      select: EVENT_COLUMNS,
    });
    await recordEnds(tx, ended);
  });
}

/** Ends runs without a heartbeat for this many seconds. Returns how many. */
export const endAbandonedRuns = (db: PrismaClient, seconds: number): Promise<number> =>
  db.$transaction(async (tx) => {
    const ended = await tx.run.updateManyAndReturn({
      where: { status: 'running', aliveAt: { lt: new Date(Date.now() - seconds * 1_000) } },
      data: { status: 'failed', completedAt: new Date(), error: ABANDONED },
      select: EVENT_COLUMNS,
    });
    await recordEnds(tx, ended);
    return ended.length;
  });

const ABANDONED = {
  code: 'unavailable',
  message: 'The service stopped while it worked on this run. Try again.',
};

const EVENT_COLUMNS = { id: true, teamId: true, status: true, conversationId: true, error: true, agent: true } as const;
const withCode = z.object({ code: z.string() }).nullable();

type EndedRun = Pick<Run, 'id' | 'teamId' | 'status' | 'conversationId' | 'error'> & { readonly agent: Agent };

/** Records the events of ended runs. An agent without collections can use all of them. */
const recordEnds = (tx: Prisma.TransactionClient, runs: readonly EndedRun[]): Promise<void> =>
  recordEvents(
    tx,
    runs.map(({ id, teamId, status, conversationId, error, agent }) => {
      const data = {
        id,
        agentId: agent.id,
        agentName: agent.name,
        conversationId,
        status,
        error: withCode.parse(error),
      };
      return newEvent({ type: 'run.completed', teamId, resource: id, collectionIds: agent.collectionIds, data });
    }),
  );
