import { joinSignals, type ServiceCall, startDeadline } from '@lectern/service-kit';
import type { Context } from '#context';
import { createReplyLog, type PlacedEvent } from '#replies/reply-log';
import { waitForReader } from '#replies/wait-for-reader';
import { runAhead } from '#turn/run-ahead';
import { runTurn } from '#turn/run-turn';
import type { TurnRequest } from '#turn/turn-request';

/** The maximum number of events that are buffered for a slow client. */
const MAX_BUFFERED = 256;

/** How a reply is delivered. Another connection can resume a stream. */
type Delivery = 'stream' | 'complete';

/**
 * Starts the turn of a call. It ends at its deadline, or when the client disconnects and no other
 * client resumes the stream. If the model has finished by then, the reply is stored anyway. The
 * deadline does not count the time in which an agent waits for an approval.
 */
export function startTurn(
  context: Context,
  request: TurnRequest,
  call: ServiceCall,
  delivery: Delivery,
): AsyncIterable<PlacedEvent> {
  const { config, db, modelsOf, leases, turns, ending } = context;
  const { caller, requestId, log } = call;
  const deadline = startDeadline(config.CHAT_TIMEOUT_MS);
  const disconnected = new AbortController();
  const ends = joinSignals(disconnected.signal, deadline.signal, ending.signal);
  const { signal } = ends;
  const services = context.services.for({ caller, requestId, signal });
  const shown = new Set<string>();
  const reply = createReplyLog(db, log, shown);
  const deps = {
    db,
    models: modelsOf(caller.teamId),
    services,
    leases,
    caller,
    log,
    onFailure: reply.recordFailure,
    replySoFar: reply.soFar,
    shown,
    signal,
    deadline,
  };
  const turn = runTurn(deps, request);
  const abandon = () => disconnected.abort(call.signal.reason);
  const onDisconnect = () => {
    // Before its first event a reply has no id to resume it by.
    if (delivery === 'complete' || !reply.started) return abandon();
    waitForReader(reply)
      .catch((err: unknown) => log.warn({ err }, 'could not keep the reply available for another client'))
      .finally(abandon);
  };
  if (call.signal.aborted) abandon();
  else call.signal.addEventListener('abort', onDisconnect, { once: true });
  const { events, finished } = runAhead(reply.follow(turn), MAX_BUFFERED, (err) =>
    log.info({ err }, 'turn ended after its client disconnected'),
  );
  turns.add(finished);
  finished.then(() => {
    turns.delete(finished);
    deadline.end();
    ends[Symbol.dispose]();
    call.signal.removeEventListener('abort', onDisconnect);
  });
  return events;
}
