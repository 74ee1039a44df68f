import type { ChatEvent, ChatRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readChatRequest } from '#handlers/read-chat-request';
import { startTurn } from '#handlers/start-turn';
import { toChatEvent } from '#handlers/to-chat-event';

/** The reply as events. */
export const streamChat = (context: Context) =>
  async function* streamChat(request: ChatRequest, call: ServiceCall): AsyncGenerator<ChatEvent, void, undefined> {
    for await (const event of startTurn(context, readChatRequest(request), call, 'stream')) yield toChatEvent(event);
  };
