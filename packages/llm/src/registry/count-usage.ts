import { createCounter } from '@lectern/service-kit';
import type { EndEvent } from '#model/chat-event';
import type { ChatModel } from '#model/chat-model';
import { costOf, PRICES_READ_ON } from '#registry/prices';

const tokens = createCounter('lectern_tokens', 'Tokens by model and kind (prompt or completion)');
const cost = createCounter(
  'lectern_cost_usd',
  `Cost in US dollars by model, at list prices of ${PRICES_READ_ON}; models without a known price are not counted`,
);

/**
 * Wraps a model so that the tokens and cost of each reply are counted. The models of a team's endpoints
 * count as one, without a cost: teams choose their names, and list prices need not apply.
 */
export function countUsage(model: ChatModel, label = model.id): ChatModel {
  return {
    ...model,
    countTokens: (text) => model.countTokens(text),
    async *stream(request, options) {
      for await (const event of model.stream(request, options)) {
        if (event.type === 'end') count(label, event);
        yield event;
      }
    },
  };
}

function count(model: string, { usage, cached }: EndEvent): void {
  tokens.add(usage.promptTokens, { model, kind: 'prompt' });
  tokens.add(usage.completionTokens, { model, kind: 'completion' });
  const usd = costOf(model, usage, cached);
  if (usd !== undefined) cost.add(usd, { model });
}
