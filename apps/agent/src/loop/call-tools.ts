import type { AgentTool } from '@lectern/contracts';
import type { ToolCallEvent } from '@lectern/llm';
import type { Context } from '#context';
import { type Tool, type ToolCall, type ToolOutcome, toolError } from '#tools/tool';

/** The tools of an agent, by name. Other tools are never executed, even if a model requests them. */
export type AgentTools = ReadonlyMap<string, Tool>;

/** A finished tool call. */
export interface CalledTool {
  readonly call: ToolCallEvent;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
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
 * Executes calls concurrently and yields their outcomes in the order of the calls. An unknown tool,
 * invalid arguments, a failure and a timeout (`toolMs`) are outcomes for the model. Throws only the
 * reason of the run's signal.
 */
export async function* callTools(
  ctx: Context,
  tools: AgentTools,
  calls: readonly ToolCallEvent[],
  { run, toolMs }: { readonly run: ToolCall; readonly toolMs: number },
): AsyncGenerator<CalledTool, void, undefined> {
  const running = calls.map((call) => callTool(ctx, tools, call, { run, toolMs }));
  // A rejection while another call is awaited must not count as unhandled.
  for (const one of running) one.catch(() => undefined);
  for (const one of running) yield await one;
}

async function callTool(
  ctx: Context,
  tools: AgentTools,
  call: ToolCallEvent,
  { run, toolMs }: { readonly run: ToolCall; readonly toolMs: number },
): Promise<CalledTool> {
  run.signal.throwIfAborted();
  const startedAt = performance.now();
  const outcome = await outcomeOf(ctx, tools, call, { run, toolMs });
  return { call, outcome, durationMs: Math.round(performance.now() - startedAt) };
}

async function outcomeOf(
  ctx: Context,
  tools: AgentTools,
  { name, input, malformed }: ToolCallEvent,
  { run, toolMs }: { readonly run: ToolCall; readonly toolMs: number },
): Promise<ToolOutcome> {
  const tool = tools.get(name);
  if (tool === undefined) return toolError(`Unknown tool. Available tools: ${[...tools.keys()].join(', ')}.`);
  if (malformed !== undefined) return toolError('Invalid arguments: they must be one JSON object.');
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
