import { createCounter } from '@lectern/service-kit';
import type { ChatModel } from '#model/chat-model';

const tokens = createCounter('lectern_tokens', 'Tokens by model and kind: of prompts, and of completions');

/** The model, with the tokens of each reply counted. */
export function countUsage(model: ChatModel): ChatModel {
  return {
    ...model,
    countTokens: (text) => model.countTokens(text),
    async *stream(request, options) {
      for await (const event of model.stream(request, options)) {
        if (event.type === 'end') {
          tokens.add(event.usage.promptTokens, { model: model.id, kind: 'prompt' });
          tokens.add(event.usage.completionTokens, { model: model.id, kind: 'completion' });
        }
        yield event;
      }
    },
  };
}
