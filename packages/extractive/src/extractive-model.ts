import { classifyShape } from '@lectern/grounding';
import { type ChatModel, type ChatRequest, lastUserText, messageText } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import { estimateTokens } from '@lectern/text';
import { BUILTIN_MODEL } from '#builtin-model';
import { composeReply } from '#compose-reply';
import { streamPieces } from '#stream-pieces';

/**
 * The built-in model: deterministic, without network. It picks the sentences of the given passages that answer the question and quotes them
 * with their sources; it writes nothing of its own but a few connecting phrases. History, `system` and `tools` do not change its reply.
 */
export function createExtractiveModel(): ChatModel {
  return {
    id: BUILTIN_MODEL.id,
    info: BUILTIN_MODEL,
    countTokens: estimateTokens,
    async *stream(request, { signal }) {
      const question = (request.question ?? lastUserText(request.messages)).trim();
      if (question === '') throw new AppError('invalid_request', 'The conversation holds no user message to answer.');
      const shape = request.shape ?? classifyShape(question).shape;
      yield* streamPieces(await composeReply(question, request.sources, shape), {
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
