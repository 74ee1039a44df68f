import { AppError } from '@lectern/service-kit';
import { composeReply } from '#builtin/compose-reply';
import { streamPieces } from '#builtin/stream-pieces';
import { lastUserText, messageText } from '#model/chat-message';
import type { ChatModel, ChatRequest } from '#model/chat-model';
import type { ModelInfo } from '#registry/model-info';
import { classifyShape } from '#shape/classify-shape';
import { estimateTokens } from '#tokens/estimate-tokens';

/**
 * The built-in model: deterministic, without network. It picks the sentences of the given passages that answer the question and quotes them
 * with their sources; it writes nothing of its own but a few connecting phrases. History, `system` and `tools` do not change its reply.
 */
export function createExtractiveModel(info: ModelInfo): ChatModel {
  return {
    id: info.id,
    info,
    countTokens: estimateTokens,
    async *stream(request, { signal }) {
      const question = (request.question ?? lastUserText(request.messages)).trim();
      if (question === '') throw new AppError('invalid_request', 'The conversation holds no user message to answer.');
      const shape = request.shape ?? classifyShape(question).shape;
      yield* streamPieces(composeReply(question, request.sources, shape), {
        maxTokens: request.maxTokens,
        promptTokens: promptTokensOf(request),
        countTokens: estimateTokens,
        signal,
      });
    },
  };
}

/** What the request would fill of a window: everything in it that is text. */
function promptTokensOf({ system, messages, sources }: ChatRequest): number {
  const texts = [system ?? '', ...messages.map(messageText)];
  for (const source of sources) {
    texts.push(source.title);
    for (const passage of source.passages) texts.push(passage.heading ?? '', passage.text);
  }
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
