import type { RunEvent } from '@lectern/contracts';
import type { TokenUsage } from '@lectern/llm';
import { AppError, type Deadline, newId, type ServiceCall, startDeadline, toAppError } from '@lectern/service-kit';
import { isMemoryMode } from '#agents/memory-modes';
import { createRunApprovals } from '#approvals/run-approvals';
import { runLimits } from '#config';
import type { Context } from '#context';
import { type AgentTools, selectTools } from '#loop/call-tools';
import { instructionsFor } from '#loop/instructions';
import type { LoopEvent, LoopOutcome } from '#loop/loop-event';
import { runLoop } from '#loop/run-loop';
import { proposes, type Recalled, recalls } from '#memories/memories';
import { firstSources } from '#runs/first-sources';
import { type PreparedRun, prepareRun } from '#runs/prepare-run';
import { completedEvent, startedEvent, toRunEvent } from '#runs/run-events';
import type { RunRequest } from '#runs/run-request';
import { endRun, insertRun, type RunEnding, saveReadDocuments, saveRecalledMemories, saveStep } from '#runs/run-store';
import { openOutsideTools } from '#tool-servers/outside-tools';
import { ALL_TOOLS } from '#tools/all-tools';
import type { ToolCall } from '#tools/tool';

/** The state of a run so far. */
interface Progress {
  content: string;
  usage: TokenUsage;
  readonly documents: Set<string>;
}

/**
 * Runs an agent, yields its events and stores them. Throws validation errors before the first
 * event. Ends with `completed`, after that is stored, or throws `timeout` after its wall time,
 * `cancelled` if the client disconnected, or the error of the model.
 */
export async function* runAgent(
  context: Context,
  call: ServiceCall,
  request: RunRequest,
): AsyncGenerator<RunEvent, void, undefined> {
  const { config, db, log, runs } = context;
  const prepared = await prepareRun(context, call, request);
  const runId = newId('run');
  const cancelled = runs.begin(runId);
  const deadline = startDeadline(config.AGENT_TIMEOUT_MS);
  const signal = AbortSignal.any([call.signal, cancelled, deadline.signal]);
  const run: ToolCall = { caller: prepared.caller, requestId: call.requestId, signal, log: call.log };
  const progress: Progress = {
    content: '',
    usage: { promptTokens: 0, completionTokens: 0 },
    documents: new Set(request.historyDocuments),
  };
  let ending: RunEnding | undefined;
  try {
    const { model, agent } = prepared;
    const { conversationId, message } = request;
    const documents = [...progress.documents];
    await insertRun(db, call.caller, {
      id: runId,
      agentId: agent.id,
      conversationId,
      message,
      model: model.id,
      documents,
    });
    try {
      const outcome = yield* follow(
        context,
        { runId, agentId: agent.id },
        progress,
        work(context, run, { runId, prepared, request, deadline }),
      );
      ending = { ...progress, status: outcome.limit === undefined ? 'completed' : 'limited', limit: outcome.limit };
      await endRun(db, runId, ending);
      remember(context, run, { runId, prepared, request, answer: progress.content });
      yield completedEvent(model, ending, outcome);
    } catch (error) {
      if (ending !== undefined) throw error;
      if (cancelled.aborted) {
        ending = { ...progress, status: 'cancelled' };
        await endRun(db, runId, ending);
        yield completedEvent(model, ending, { stopReason: 'end', citations: [], sources: [] });
        return;
      }
      const failure = deadline.signal.aborted ? timeoutError(config.AGENT_TIMEOUT_MS, error) : toAppError(error);
      const { code, message: reason } = failure;
      ending = call.signal.aborted
        ? { ...progress, status: 'cancelled' }
        : { ...progress, status: deadline.signal.aborted ? 'timed_out' : 'failed', error: { code, message: reason } };
      await endRun(db, runId, ending);
      throw failure;
    }
  } finally {
    // The client disconnected between two events.
    if (ending === undefined) {
      await endRun(db, runId, { ...progress, status: 'cancelled' }).catch((err: unknown) =>
        log.warn({ err, runId }, 'could not store the end of the run'),
      );
    }
    deadline.end();
    runs.end(runId);
  }
}

interface Work {
  readonly runId: string;
  readonly prepared: PreparedRun;
  readonly request: RunRequest;
}

const timeoutError = (wallMs: number, cause: unknown) =>
  new AppError('timeout', `The run took longer than ${wallMs / 1_000} s, which is its limit.`, { cause });

/** Recalls memories, searches for sources if the model cannot, then runs the loop. */
async function* work(
  context: Context,
  run: ToolCall,
  { runId, prepared, request, deadline }: Work & { readonly deadline: Deadline },
): AsyncGenerator<LoopEvent | RunEvent, LoopOutcome, undefined> {
  const { agent, model, maxTokens } = prepared;
  const { message, question, history } = request;
  const memories = await recall(context, run, prepared, question);
  await saveRecalledMemories(context.db, runId, memories);
  yield startedEvent(runId, model, memories);
  const { teamId } = run.caller;
  await using outside = await openOutsideTools(context, prepared, run);
  const tools: AgentTools = new Map([...selectTools(ALL_TOOLS, agent.tools), ...outside.tools]);
  const sources = await firstSources(context, run, { model, tools, question });
  return yield* runLoop(context, {
    model,
    maxTokens,
    instructions: instructionsFor(agent.systemPrompt, memories),
    history,
    message,
    question,
    tools: model.info.supportsTools ? tools : new Map(),
    sources,
    limits: runLimits(context.config),
    approvals: createRunApprovals(context, { runId, teamId, deadline }),
    run,
  });
}

/** Stores the events of the loop and passes on those for the client. */
async function* follow(
  { db }: Context,
  ids: { readonly runId: string; readonly agentId: string },
  progress: Progress,
  events: AsyncGenerator<LoopEvent | RunEvent, LoopOutcome, undefined>,
): AsyncGenerator<RunEvent, LoopOutcome, undefined> {
  const { runId } = ids;
  const used = new Map<number, TokenUsage>();
  try {
    for (;;) {
      const { value, done } = await events.next();
      if (done) return value;
      if ('event' in value) {
        yield value;
        continue;
      }
      if (value.type === 'iteration' || value.type === 'tool_result') {
        await saveRead(db, runId, progress.documents, value.documents);
      }
      if (value.type === 'content') progress.content += value.delta;
      if (value.type === 'step') {
        used.set(value.step.number, value.step.usage);
        progress.usage = sum([...used.values()]);
        await saveStep(db, runId, value.step);
      }
      const converted = toRunEvent(value, ids);
      if (converted !== undefined) yield converted;
    }
  } finally {
    await events.return({ limit: undefined, stopReason: 'end', citations: [], sources: [] });
  }
}

async function saveRead(db: Context['db'], runId: string, known: Set<string>, read: readonly string[]): Promise<void> {
  if (read.every((id) => known.has(id))) return;
  for (const id of read) known.add(id);
  await saveReadDocuments(db, runId, known);
}

const sum = (usages: readonly TokenUsage[]): TokenUsage => ({
  promptTokens: usages.reduce((total, { promptTokens }) => total + promptTokens, 0),
  completionTokens: usages.reduce((total, { completionTokens }) => total + completionTokens, 0),
});

const modeOf = ({ agent: { memory } }: PreparedRun) => (isMemoryMode(memory) ? memory : 'off');

/** Returns no memories if they are unavailable, so that the run can continue. */
async function recall(
  { memories, log }: Context,
  run: ToolCall,
  prepared: PreparedRun,
  question: string,
): Promise<readonly Recalled[]> {
  if (!recalls(modeOf(prepared))) return [];
  try {
    return await memories.recall(run, prepared.agent.id, question);
  } catch (err) {
    run.signal.throwIfAborted();
    log.warn({ err, agentId: prepared.agent.id }, 'could not recall memories');
    return [];
  }
}

/** Proposes memories from a run in the background, after its answer was sent. */
function remember(
  { memories, log }: Context,
  run: ToolCall,
  { runId, prepared, request, answer }: Work & { readonly answer: string },
): void {
  // A run that only tries settings leaves nothing behind that other runs read.
  if (request.settings !== undefined || !proposes(modeOf(prepared))) return;
  const { message, conversationId } = request;
  const exchange = { agentId: prepared.agent.id, runId, conversationId, message, answer };
  const signal = AbortSignal.timeout(REMEMBER_MS);
  memories.propose({ ...run, signal }, exchange).catch((err: unknown) => {
    log.warn({ err, runId }, 'could not propose memories');
  });
}

/** The timeout for proposing memories, in milliseconds. */
const REMEMBER_MS = 60_000;
