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
  const { config, db, models, turns } = context;
  const { caller, requestId, log } = call;
  const deadline = AbortSignal.timeout(config.CHAT_TIMEOUT_MS);
  const signal = AbortSignal.any([call.signal, deadline]);
  const services = context.services.for({ caller, requestId, signal });
  const deps = { db, models, services, caller, log, signal, deadline };
  const turn = runTurn(deps, readChatRequest(request));
  const { events, finished } = runAhead(turn, AHEAD, (err) => log.info({ err }, 'turn ended after its client left'));
  turns.add(finished);
  finished.then(() => turns.delete(finished));
  return events;
}
