import type { ToolCallEvent, ToolResultPart } from '@lectern/llm';
import type { Context } from '#context';
import { type CalledTool, callTools, prepareCalls } from '#loop/call-tools';
import type { LoopEvent, LoopStep, StepCall } from '#loop/loop-event';
import type { LoopTask } from '#loop/loop-task';
import type { RunBudget } from '#loop/run-budget';
import type { SeenSources } from '#loop/seen-sources';
import { fence } from '#loop/tool-output';

const NOT_CALLED = 'Not called: this run has reached its limit of tool calls.';

/** The results of a round, one for every call. */
interface RoundResults {
  readonly results: readonly ToolResultPart[];
  /** True if no one decided about one of the calls in time. */
  readonly isExpired: boolean;
}

/** Executes the tool calls of a model within the budget, after a person approved those that need it. */
export async function* toolRound(
  ctx: Context,
  { tools, run, limits, approvals }: LoopTask,
  wanted: readonly ToolCallEvent[],
  { step, budget, seen }: { readonly step: LoopStep; readonly budget: RunBudget; readonly seen: SeenSources },
): AsyncGenerator<LoopEvent, RoundResults, undefined> {
  const allowed = wanted.slice(0, budget.takeCalls(wanted.length));
  let calls: readonly StepCall[] = allowed.map(({ id, name, input }) => ({ id, tool: name, params: input }));
  yield { type: 'step', step: { ...step, calls } };
  for (const { id, tool, params } of calls) yield { type: 'tool_call', id, tool, params };

  const results: ToolResultPart[] = [];
  const prepared = await prepareCalls(tools, allowed, approvals);
  for (const { approval } of prepared) {
    if (approval === undefined) continue;
    const { approvalId, callId, tool, params, expiresAt } = approval;
    yield { type: 'pending_approval', approvalId, callId, tool, params, expiresAt };
  }
  let isExpired = false;
  for await (const called of callTools(ctx, prepared, { run, toolMs: limits.toolMs, approvals })) {
    if ('approval' in called) {
      const { approvalId, tool } = called.approval;
      yield { type: 'approval_decided', approvalId, tool, status: called.status };
      continue;
    }
    isExpired ||= called.isExpired;
    const ended = endedCall(called);
    const at = results.length;
    calls = calls.map((call, place) => (place === at ? { ...call, ...ended } : call));
    yield { type: 'tool_result', ...ended, documents: documentsOf(called) };
    const { content, isError, sources } = budget.takeOutput(called.outcome);
    seen.add(sources ?? []);
    results.push({
      type: 'tool_result',
      callId: called.call.id,
      content: fence(content),
      isError,
      ...(sources === undefined ? {} : { sources }),
    });
  }
  for (const { id } of wanted.slice(allowed.length)) {
    results.push({ type: 'tool_result', callId: id, content: NOT_CALLED, isError: true });
  }
  yield { type: 'step', step: { ...step, calls, completedAt: new Date() } };
  return { results, isExpired };
}

const documentsOf = ({ outcome: { sources = [], documents = [] } }: CalledTool) => [
  ...new Set([...sources.map(({ id }) => id), ...documents]),
];

function endedCall({ call, outcome, durationMs }: CalledTool) {
  return { id: call.id, tool: call.name, success: !outcome.isError, result: outcome.summary, durationMs };
}
