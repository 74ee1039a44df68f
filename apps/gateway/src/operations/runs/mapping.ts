import type { agents as spec } from '@lectern/api-spec';
import { type Run, type RunSettings, RunStatus, type RunStep } from '@lectern/contracts';
import { usage } from '#operations/chat/mapping';
import { enumText, time } from '#operations/convert';

/** The settings of a run, for the services. */
export function runSettings({ collections, ...settings }: spec.RunSettings): RunSettings {
  return { ...settings, collectionIds: collections };
}

/** A run in a list, without its steps. */
export function runItem(run: Run) {
  return {
    id: run.id,
    agentId: run.agentId,
    conversationId: run.conversationId ?? null,
    scheduleId: run.scheduleId ?? null,
    status: enumText(RunStatus, run.status),
    message: run.message,
    content: run.content,
    model: run.model,
    usage: usage(run.usage),
    limit: run.limit ?? null,
    error: run.error === undefined ? null : { code: run.error.code, message: run.error.message },
    memories: run.memories,
    withheld: run.withheld,
    pendingApprovals: run.pendingApprovals,
    startedAt: time(run.startedAt),
    completedAt: run.completedAt === undefined ? null : time(run.completedAt),
  };
}

/** A run with its steps. */
export function runRecord(run: Run) {
  return { ...runItem(run), steps: run.steps.map(step) };
}

function step({ number, thought, toolCalls, usage: used, startedAt, completedAt }: RunStep) {
  return {
    number,
    thought: thought === '' ? null : thought,
    toolCalls: toolCalls.map(({ id, tool, params, success, result, durationMs }) => ({
      id,
      tool,
      params: params ?? {},
      success: success ?? null,
      result: result ?? null,
      durationMs: durationMs ?? null,
    })),
    usage: usage(used),
    startedAt: time(startedAt),
    completedAt: completedAt === undefined ? null : time(completedAt),
  };
}
