import { joinSignals, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { awaitReader } from '#replies/await-reader';
import { createReplyLog, type PlacedEvent } from '#replies/reply-log';
import { runAhead } from '#turn/run-ahead';
import { runTurn } from '#turn/run-turn';
import type { TurnRequest } from '#turn/turn-request';

/** Events that a turn may be ahead of a slow client. */
const AHEAD = 256;

/** How a turn is told: as a stream, which another connection may resume, or as a whole. */
type Told = 'stream' | 'whole';

/**
 * Starts the turn that a call asks for. It ends when its time is over, or when the client leaves and nobody resumes a stream at once,
 * unless the model has finished by then: such a reply is stored whether or not anyone still listens.
 */
export function startTurn(
  context: Context,
  request: TurnRequest,
  call: ServiceCall,
  told: Told,
): AsyncIterable<PlacedEvent> {
  const { config, db, models, leases, turns, ending } = context;
  const { caller, requestId, log } = call;
  const deadline = AbortSignal.timeout(config.CHAT_TIMEOUT_MS);
  const abandoned = new AbortController();
  const ends = joinSignals(abandoned.signal, deadline, ending.signal);
  const { signal } = ends;
  const services = context.services.for({ caller, requestId, signal });
  const shown = new Set<string>();
  const reply = createReplyLog(db, log, shown);
  const deps = {
    db,
    models,
    services,
    leases,
    caller,
    log,
    onFailure: reply.fail,
    said: reply.said,
    shown,
    signal,
    deadline,
  };
  const turn = runTurn(deps, request);
  const abandon = () => abandoned.abort(call.signal.reason);
  const onLeave = () => {
    // Before its first event a reply has no name to be resumed by.
    if (told === 'whole' || !reply.begun) return abandon();
    awaitReader(reply)
      .catch((err: unknown) => log.warn({ err }, 'a reply could not be kept for its next reader'))
      .finally(abandon);
  };
  if (call.signal.aborted) abandon();
  else call.signal.addEventListener('abort', onLeave, { once: true });
  const { events, finished } = runAhead(reply.follow(turn), AHEAD, (err) =>
    log.info({ err }, 'turn ended after its client left'),
  );
  turns.add(finished);
  finished.then(() => {
    turns.delete(finished);
    ends[Symbol.dispose]();
    call.signal.removeEventListener('abort', onLeave);
  });
  return events;
}
