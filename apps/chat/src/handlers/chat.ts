import type { ChatEvent, ChatRequest, RegenerateRequest } from '@lectern/contracts';
import { invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { toChatEvent } from '#handlers/chat-event';
import { startTurn } from '#handlers/start-turn';
import type { PlacedEvent } from '#replies/reply-log';
import { foldReply } from '#turn/fold-reply';
import type { MessageRequest, RegenerateTurnRequest } from '#turn/turn-request';

/** The maximum length of a message, in code points. */
const MAX_MESSAGE = 32_000;

/** Answers a message with the complete reply. */
export const chat = (context: Context) => (request: ChatRequest, call: ServiceCall) =>
  toChatReply(startTurn(context, readChatRequest(request), call, 'complete'));

/** Answers a message with a stream of events. */
export const streamChat = (context: Context) =>
  async function* streamChat(request: ChatRequest, call: ServiceCall): AsyncGenerator<ChatEvent, void, undefined> {
    for await (const event of startTurn(context, readChatRequest(request), call, 'stream')) yield toChatEvent(event);
  };

/** Replaces the last reply of a conversation and returns the complete new reply. */
export const regenerate = (context: Context) => (request: RegenerateRequest, call: ServiceCall) =>
  toChatReply(startTurn(context, readRegenerateRequest(request), call, 'complete'));

/** Replaces the last reply of a conversation and streams the new one. */
export const streamRegenerate = (context: Context) =>
  async function* streamRegenerate(
    request: RegenerateRequest,
    call: ServiceCall,
  ): AsyncGenerator<ChatEvent, void, undefined> {
    for await (const event of startTurn(context, readRegenerateRequest(request), call, 'stream'))
      yield toChatEvent(event);
  };

/** Validates a request. Throws `invalid_request`. */
function readChatRequest(request: ChatRequest): MessageRequest {
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
    agentSettings: request.agentSettings,
    maxTokens: request.maxTokens,
  };
}

/** Reads a request to regenerate a reply. The turn validates it. */
function readRegenerateRequest(request: RegenerateRequest): RegenerateTurnRequest {
  const { conversationId, collectionIds, model, maxTokens } = request;
  return { kind: 'regenerate', conversationId, collections: [...new Set(collectionIds)], model, maxTokens };
}

/** Collects a turn's events into the complete reply. Throws what the turn throws. */
async function toChatReply(events: AsyncIterable<PlacedEvent>) {
  const { confidence, sources, ...reply } = await foldReply(events);
  return { ...reply, sources: [...sources], answerConfidence: confidence };
}
