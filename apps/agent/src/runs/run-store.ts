import type { TokenUsage } from '@lectern/llm';
import type { Caller } from '@lectern/service-kit';
import type { Prisma, PrismaClient } from '#gen/prisma/client';
import type { LoopStep } from '#loop/loop-event';
import type { LimitName } from '#loop/run-limits';
import type { Recalled } from '#memories/memories';

/** How a run can stand. */
export type RunState = 'running' | 'completed' | 'limited' | 'cancelled' | 'failed' | 'timed_out';

/** A run that begins. */
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

/** Texts that models and documents write may hold U+0000, which PostgreSQL takes nowhere. */
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD');

/** The same for JSON: as plain data, without what JSON has no form for. */
function asJson(value: unknown): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '\\ufffd'));
}

/** Writes a run down before it begins. */
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

/** Notes what a run remembered. */
export async function noteMemories(db: PrismaClient, id: string, memories: readonly Recalled[]): Promise<void> {
  if (memories.length > 0) await db.run.updateMany({ where: { id }, data: { memories: asJson(memories) } });
}

/** Records the documents that a run has read, before any text from them is stored. */
export async function noteDocuments(db: PrismaClient, id: string, documents: ReadonlySet<string>): Promise<void> {
  await db.run.updateMany({ where: { id }, data: { documents: [...documents] } });
}

/** Writes a step down, or what has become of it. */
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

/** Ends a run; one that has ended before stays as it is. */
export async function endRun(db: PrismaClient, id: string, ending: RunEnding): Promise<void> {
  const { status, content, usage, limit, error } = ending;
  await db.run.updateMany({
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
  });
}
