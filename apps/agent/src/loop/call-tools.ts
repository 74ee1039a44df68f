import type { AgentTool } from '@lectern/contracts';
import type { ToolCallEvent } from '@lectern/llm';
import { storableJson } from '@lectern/text';
import type { CallParams } from '#approvals/approval-rows';
import type { Decision } from '#approvals/approval-waits';
import type { PendingApproval, RunApprovals } from '#approvals/run-approvals';
import type { Context } from '#context';
import { type Tool, type ToolCall, type ToolOutcome, toolError } from '#tools/tool';

/** The tools of an agent, by name. Other tools are never executed, even if a model requests them. */
export type AgentTools = ReadonlyMap<string, Tool>;

/** A tool call that can be executed, that waits for an approval, or that is rejected. */
export interface PreparedCall {
  readonly call: ToolCallEvent;
  readonly tool?: Tool;
  readonly rejection?: ToolOutcome;
  readonly approval?: PendingApproval;
}

/** A finished tool call. */
export interface CalledTool {
  readonly call: ToolCallEvent;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
  /** True if no one decided about it in time. */
  readonly isExpired: boolean;
}

/** An approval that is no longer pending. */
export interface DecidedApproval {
  readonly approval: PendingApproval;
  readonly status: Decision['status'];
}

/** Returns the tools with these names. */
export function selectTools(all: Readonly<Record<AgentTool, Tool>>, names: readonly string[]): AgentTools {
  const wanted = new Set(names);
  return new Map(
    Object.values(all)
      .filter(({ name }) => wanted.has(name))
      .map((tool) => [tool.name, tool]),
  );
}

/**
 * Checks the calls of a model, and asks for the approval of those that need one. A person sees only
 * calls that could be executed.
 */
export async function prepareCalls(
  tools: AgentTools,
  calls: readonly ToolCallEvent[],
  approvals: RunApprovals,
): Promise<readonly PreparedCall[]> {
  const prepared: PreparedCall[] = [];
  for (const call of calls) {
    const { id: callId, name, input, malformed } = call;
    const tool = tools.get(name);
    const rejection =
      tool === undefined
        ? toolError(`Unknown tool. Available tools: ${[...tools.keys()].join(', ')}.`)
        : malformed !== undefined
          ? toolError('Invalid arguments: they must be one JSON object.')
          : undefined;
    if (tool?.approval === undefined || rejection !== undefined) {
      prepared.push({ call, ...(tool && { tool }), ...(rejection && { rejection }) });
      continue;
    }
    const { version, check } = tool.approval;
    const params = storable(input);
    const problem = check(params);
    if (problem !== undefined) {
      prepared.push({ call, tool, rejection: toolError(`Invalid arguments: ${problem}.`) });
      continue;
    }
    const approval = await approvals.request({ callId, tool: name, version, params });
    const late = toolError('Not called: this run has waited for approvals for as long as it may.');
    prepared.push(approval === undefined ? { call, tool, rejection: late } : { call, tool, approval });
  }
  return prepared;
}

/** The arguments as the row has them: exactly those are approved and sent. */
const storable = (input: CallParams): CallParams => Object.fromEntries(Object.entries(Object(storableJson(input))));

interface Execution {
  readonly run: ToolCall;
  /** The timeout of one tool, without the wait for its approval. */
  readonly toolMs: number;
  readonly approvals: RunApprovals;
}

/**
 * Executes calls concurrently and yields their outcomes in the order of the calls, and decisions as
 * they are made. A failure, a denial and a timeout are outcomes for the model. Throws only the
 * reason of the run's signal.
 */
export async function* callTools(
  ctx: Context,
  calls: readonly PreparedCall[],
  execution: Execution,
): AsyncGenerator<CalledTool | DecidedApproval, void, undefined> {
  const decided: DecidedApproval[] = [];
  const called = new Map<number, CalledTool>();
  let failure: { readonly reason: unknown } | undefined;
  let news = Promise.withResolvers<void>();
  const onDecided = (decision: DecidedApproval) => {
    decided.push(decision);
    news.resolve();
  };
  for (const [place, call] of calls.entries()) {
    callTool(ctx, call, execution, onDecided)
      .then((result) => called.set(place, result))
      .catch((reason: unknown) => {
        failure ??= { reason };
      })
      .finally(() => news.resolve());
  }
  for (let next = 0; next < calls.length; ) {
    const decision = decided.shift();
    const result = called.get(next);
    if (decision !== undefined) yield decision;
    else if (result !== undefined) {
      yield result;
      next += 1;
    } else if (failure !== undefined) throw failure.reason;
    else {
      await news.promise;
      news = Promise.withResolvers<void>();
    }
  }
}

async function callTool(
  ctx: Context,
  { call, tool, rejection, approval }: PreparedCall,
  { run, toolMs, approvals }: Execution,
  onDecided: (decision: DecidedApproval) => void,
): Promise<CalledTool> {
  run.signal.throwIfAborted();
  let startedAt = performance.now();
  const ended = (outcome: ToolOutcome, isExpired = false): CalledTool => {
    return { call, outcome, durationMs: Math.round(performance.now() - startedAt), isExpired };
  };
  if (tool === undefined || rejection !== undefined) return ended(rejection ?? toolError('Unknown tool.'));
  if (approval === undefined) return ended(await outcomeOf(ctx, tool, call.input, { run, toolMs }));
  const { status, reason } = await approvals.decision(approval, run.signal);
  onDecided({ approval, status });
  // The wait of a person is not the time of the tool.
  startedAt = performance.now();
  if (status === 'expired') return ended(toolError('Not called: no one approved this call in time.'), true);
  if (status !== 'approved') return ended(denied(reason));
  const params = await approvals.take(approval);
  if (params === undefined) return ended(toolError('Not called: the approval is no longer valid.'));
  return ended(await outcomeOf(ctx, tool, params, { run, toolMs }));
}

const denied = (reason: string | null): ToolOutcome => ({
  ...toolError(
    `Not called: a person denied this call.${reason === null ? '' : ` Reason: ${reason}`} Do not repeat it. Continue without it.`,
  ),
  summary: { denied: true, ...(reason === null ? {} : { reason }) },
});

async function outcomeOf(
  ctx: Context,
  tool: Tool,
  input: CallParams,
  { run, toolMs }: { readonly run: ToolCall; readonly toolMs: number },
): Promise<ToolOutcome> {
  const late = AbortSignal.timeout(toolMs);
  const signal = AbortSignal.any([run.signal, late]);
  const ended = Promise.withResolvers<never>();
  const onAbort = () => ended.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([tool.run(ctx, { ...run, signal }, input), ended.promise]);
  } catch (error) {
    run.signal.throwIfAborted();
    if (late.aborted) return toolError(`The tool timed out after ${toolMs / 1_000} s. Request less data.`);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
