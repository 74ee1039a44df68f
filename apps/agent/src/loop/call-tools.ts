import type { ToolCallEvent } from '@lectern/llm';
import type { AgentTool } from '#agents/tools';
import type { Context } from '#context';
import { type Tool, type ToolCall, type ToolOutcome, toolError } from '#tools/tool';

/** The tools that an agent was given, by name. Nothing else is ever run, whatever a model asks for. */
export type GivenTools = ReadonlyMap<string, Tool>;

/** What one call of a tool came to. */
export interface CalledTool {
  readonly call: ToolCallEvent;
  readonly outcome: ToolOutcome;
  readonly durationMs: number;
}

/** The tools of these names out of all there are. */
export function givenTools(all: Readonly<Record<AgentTool, Tool>>, names: readonly string[]): GivenTools {
  const wanted = new Set(names);
  return new Map(
    Object.values(all)
      .filter(({ name }) => wanted.has(name))
      .map((tool) => [tool.name, tool]),
  );
}

/**
 * Runs calls side by side and yields what they came to in the order of the calls. An unknown tool, arguments that do not fit, a failure and a
 * tool that takes longer than `toolMs` are outcomes for the model to read. Throws only the reason of the run's signal.
 */
export async function* callTools(
  ctx: Context,
  given: GivenTools,
  calls: readonly ToolCallEvent[],
  { run, toolMs }: { readonly run: ToolCall; readonly toolMs: number },
): AsyncGenerator<CalledTool, void, undefined> {
  const running = calls.map((call) => callTool(ctx, given, call, { run, toolMs }));
  // One that fails while another is waited for must not be taken for a failure that nobody handles.
  for (const one of running) one.catch(() => undefined);
  for (const one of running) yield await one;
}

async function callTool(
  ctx: Context,
  given: GivenTools,
  call: ToolCallEvent,
  { run, toolMs }: { readonly run: ToolCall; readonly toolMs: number },
): Promise<CalledTool> {
  run.signal.throwIfAborted();
  const startedAt = performance.now();
  const outcome = await outcomeOf(ctx, given, call, { run, toolMs });
  return { call, outcome, durationMs: Math.round(performance.now() - startedAt) };
}

async function outcomeOf(
  ctx: Context,
  given: GivenTools,
  { name, input, malformed }: ToolCallEvent,
  { run, toolMs }: { readonly run: ToolCall; readonly toolMs: number },
): Promise<ToolOutcome> {
  const tool = given.get(name);
  if (tool === undefined)
    return toolError(`There is no tool of this name. There are: ${[...given.keys()].join(', ')}.`);
  if (malformed !== undefined) return toolError('The arguments could not be read: they must be one JSON object.');
  const late = AbortSignal.timeout(toolMs);
  const signal = AbortSignal.any([run.signal, late]);
  const ended = Promise.withResolvers<never>();
  const onAbort = () => ended.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([tool.run(ctx, { ...run, signal }, input), ended.promise]);
  } catch (error) {
    run.signal.throwIfAborted();
    if (late.aborted) return toolError(`The tool took longer than ${toolMs / 1_000} s. Ask for less.`);
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
