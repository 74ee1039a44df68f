import type { ChatRequest } from '@lectern/contracts';
import { invalidRequest } from '@lectern/service-kit';
import type { MessageRequest } from '#turn/turn-request';

/** Characters (code points) of a message. */
const MAX_MESSAGE = 32_000;

/** Checks a request. Throws `invalid_request`. */
export function readChatRequest(request: ChatRequest): MessageRequest {
  const { message } = request;
  if (message.trim() === '') throw invalidRequest([{ path: 'message', message: 'must not be empty' }]);
  if ([...message].length > MAX_MESSAGE) {
    throw invalidRequest([{ path: 'message', message: `must have at most ${MAX_MESSAGE} characters` }]);
  }
  if (message.includes('\u0000')) {
    throw invalidRequest([{ path: 'message', message: 'must not contain the character U+0000' }]);
  }
  return {
    kind: 'message',
    message,
    conversationId: request.conversationId,
    collections: [...new Set(request.collectionIds)],
    model: request.model,
    agentId: request.agentId,
    maxTokens: request.maxTokens,
  };
}
