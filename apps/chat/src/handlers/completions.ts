import type {
  ChatEvent,
  CompleteRequest,
  Completion,
  DeleteCompletionRequest,
  GetCompletionRequest,
} from '@lectern/contracts';
import { joinSignals, type ServiceCall } from '@lectern/service-kit';
import { readCompletionRequest } from '#completions/completion-request';
import { getCompletion as findCompletion, deleteCompletion as removeCompletion } from '#completions/completion-store';
import { type CompletionEvent, runCompletion } from '#completions/run-completion';
import type { Context } from '#context';
import { toChatEvent } from '#handlers/chat-event';
import { runAhead } from '#turn/run-ahead';
import { timeoutError } from '#turn/timeout';

/** The maximum number of events that are buffered for a slow client. */
const MAX_BUFFERED = 256;

function toEvent(event: CompletionEvent): ChatEvent {
  if (event.type === 'tool_calls') return { id: '', event: { $case: 'toolCalls', value: { calls: event.calls } } };
  if (event.type === 'cited') {
    return { id: '', event: { $case: 'sources', value: { sources: event.sources, marks: event.marks } } };
  }
  if (event.type !== 'completion_end') return toChatEvent({ id: '', event });
  const { usage, model, stopReason, confidence, documents } = event;
  const value = { usage, answerConfidence: confidence, model, stopReason, documents: [...documents] };
  return { id: '', event: { $case: 'messageEnd', value } };
}

/** Answers a conversation that the client sent. */
export const complete = (context: Context) =>
  async function* complete(request: CompleteRequest, call: ServiceCall): AsyncGenerator<ChatEvent, void, undefined> {
    const { config, db, modelsOf, ending, turns } = context;
    const { caller, requestId, log } = call;
    const completion = readCompletionRequest(request);
    const deadline = AbortSignal.timeout(config.CHAT_TIMEOUT_MS);
    const left = new AbortController();
    const ends = joinSignals(call.signal, left.signal, deadline, ending.signal);
    const { signal } = ends;
    const services = context.services.for({ caller, requestId, signal });
    const models = modelsOf(caller.teamId);
    const deps = { db, log, models, services, caller, signal, shown: new Set<string>() };
    const { events, finished } = runAhead(runCompletion(deps, completion), MAX_BUFFERED, (err) =>
      log.info({ err }, 'a completion ended after its client disconnected'),
    );
    turns.add(finished);
    finished.then(() => {
      turns.delete(finished);
      ends[Symbol.dispose]();
    });
    try {
      for await (const event of events) yield toEvent(event);
    } catch (error) {
      throw deadline.aborted ? timeoutError(error) : error;
    } finally {
      left.abort(call.signal.reason);
    }
  };

/** Returns a stored reply. */
export const getCompletion =
  ({ db, services }: Context) =>
  async ({ id }: GetCompletionRequest, { caller, requestId, signal }: ServiceCall): Promise<Completion> => {
    const reader = { db, caller, services: services.for({ caller, requestId, signal }) };
    const { reply, messages, previousId, details, createdAt } = await findCompletion(reader, id);
    const { confidence, ...shown } = reply;
    return { id, previousId, details, createdAt, messages: [...messages], answerConfidence: confidence, ...shown };
  };

/** Deletes a stored reply. */
export const deleteCompletion =
  ({ db }: Context) =>
  async ({ id }: DeleteCompletionRequest, { caller }: ServiceCall) => {
    await removeCompletion(db, caller, id);
    return { id };
  };
