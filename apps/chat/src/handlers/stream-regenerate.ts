import type { ChatEvent, RegenerateRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readRegenerateRequest } from '#handlers/read-regenerate-request';
import { startTurn } from '#handlers/start-turn';
import { toChatEvent } from '#handlers/to-chat-event';

/** The same as events. */
export const streamRegenerate = (context: Context) =>
  async function* streamRegenerate(
    request: RegenerateRequest,
    call: ServiceCall,
  ): AsyncGenerator<ChatEvent, void, undefined> {
    for await (const event of startTurn(context, readRegenerateRequest(request), call, 'stream'))
      yield toChatEvent(event);
  };
