import { type Run as RunMessage, RunStatus } from '@lectern/contracts';
import type { TokenUsage } from '@lectern/llm';
import { z } from 'zod';
import type { Run, RunStep } from '#gen/prisma/client';
import type { RunState } from '#runs/run-store';

const STATUSES: Readonly<Record<RunState, RunStatus>> = {
  running: RunStatus.RUNNING,
  completed: RunStatus.COMPLETED,
  limited: RunStatus.LIMITED,
  cancelled: RunStatus.CANCELLED,
  failed: RunStatus.FAILED,
  timed_out: RunStatus.TIMED_OUT,
};

/** Converts a state to the contract's status. */
export const toStatus = (state: RunState): RunStatus => STATUSES[state];

/** Converts token usage to its contract form, with the sum. */
export const toUsage = ({ promptTokens, completionTokens }: TokenUsage) => ({
  promptTokens,
  completionTokens,
  totalTokens: promptTokens + completionTokens,
});

const object = z.record(z.string(), z.unknown());
const row = z.object({
  status: z.enum(['running', 'completed', 'limited', 'cancelled', 'failed', 'timed_out']),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  memories: z.array(z.object({ id: z.string(), kind: z.string(), content: z.string(), score: z.number() })),
});
const storedCalls = z.array(
  z.object({
    id: z.string(),
    tool: z.string(),
    params: object,
    success: z.boolean().optional(),
    result: object.optional(),
    durationMs: z.number().optional(),
  }),
);

/** Converts a run's row and steps to their contract form. */
export function toRun(run: Run, steps: readonly RunStep[] = []): RunMessage {
  const { status, error, memories } = row.parse(run);
  return {
    id: run.id,
    agentId: run.agentId,
    conversationId: run.conversationId ?? undefined,
    scheduleId: run.scheduleId ?? undefined,
    status: toStatus(status),
    message: run.message,
    content: run.content,
    model: run.model,
    usage: toUsage(run),
    limit: run.limit ?? undefined,
    error: error ?? undefined,
    startedAt: run.startedAt,
    completedAt: run.completedAt ?? undefined,
    memories,
    steps: steps.map(toStep),
    withheld: false,
    pendingApprovals: 0,
  };
}

const toStep = (step: RunStep) => ({
  number: step.number,
  thought: step.thought,
  toolCalls: storedCalls
    .parse(step.calls)
    .map(({ success, result, durationMs, ...call }) => ({ ...call, success, result, durationMs })),
  usage: toUsage(step),
  startedAt: step.startedAt,
  completedAt: step.completedAt ?? undefined,
});
