import type { ChatRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readChatRequest } from '#handlers/read-chat-request';
import { runAhead } from '#turn/run-ahead';
import { runTurn } from '#turn/run-turn';
import type { TurnEvent } from '#turn/turn-event';

/** Events that a turn may be ahead of a slow client. */
const AHEAD = 256;

/**
 * Starts the turn that a call asks for. It ends when the client leaves or its time is over, unless the model has finished by then: such a
 * reply is stored whether or not anyone still listens.
 */
export function startTurn(context: Context, request: ChatRequest, call: ServiceCall): AsyncIterable<TurnEvent> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(context.config.CHAT_TIMEOUT_MS)]);
  const { db, models, turns } = context;
  const services = context.services.for({ caller: call.caller, requestId: call.requestId, signal });
  const turn = runTurn({ db, models, services, caller: call.caller, log: call.log, signal }, readChatRequest(request));
  const { events, finished } = runAhead(turn, AHEAD, (err) =>
    call.log.info({ err }, 'turn ended after its client left'),
  );
  turns.add(finished);
  finished.then(() => turns.delete(finished));
  return events;
}
