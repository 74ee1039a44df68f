import type { ChatRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { readChatRequest } from '#handlers/read-chat-request';
import { startTurn } from '#handlers/start-turn';
import { toChatReply } from '#handlers/to-chat-reply';

/** The whole reply at once. */
export const chat = (context: Context) => (request: ChatRequest, call: ServiceCall) =>
  toChatReply(startTurn(context, readChatRequest(request), call, 'whole'));
