import { classifyShape } from '@lectern/grounding';
import { type ChatModel, type ChatRequest, lastUserText, messageText } from '@lectern/llm';
import { AppError } from '@lectern/service-kit';
import { estimateTokens } from '@lectern/text';
import { BUILTIN_MODEL } from '#builtin-model';
import { composeReply } from '#compose-reply';
import { streamPieces } from '#stream-pieces';

/**
 * Creates the built-in model. It selects the units of the sources that answer the question and
 * quotes them, with a few connecting phrases. It is deterministic and uses no network. History,
 * `system` and `tools` do not affect its reply.
 */
export function createExtractiveModel(): ChatModel {
  return {
    id: BUILTIN_MODEL.id,
    info: BUILTIN_MODEL,
    countTokens: estimateTokens,
    async *stream(request, { signal }) {
      const question = (request.question ?? lastUserText(request.messages)).trim();
      if (question === '') throw new AppError('invalid_request', 'The conversation has no user message to answer.');
      const shape = request.shape ?? classifyShape(question).shape;
      const { sources, indexing, maxTokens, language } = request;
      const pieces = await composeReply(question, sources, shape, indexing, maxTokens, language);
      yield* streamPieces(pieces, { maxTokens, promptTokens: promptTokensOf(request), signal });
    },
  };
}

/** Returns the tokens of all texts in the request. */
function promptTokensOf({ system, messages, sources }: ChatRequest): number {
  const texts = [system ?? '', ...messages.map(messageText)];
  for (const source of sources) {
    texts.push(source.title);
    for (const passage of source.passages) texts.push(passage.heading ?? '', passage.text);
  }
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}
