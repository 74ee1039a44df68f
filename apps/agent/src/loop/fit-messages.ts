import { type ChatMessage, type ChatModel, messageText, type ToolResultPart } from '@lectern/llm';

/** Tokens of a message or passage in addition to its text: role, separators, numbering. */
const OVERHEAD_TOKENS = 8;

/** The maximum share of the available tokens for earlier messages. */
const HISTORY_SHARE = 0.4;

const LEFT_OUT = '[Omitted to save space. Call the tool again if you need this output.]';

/** Returns the newest earlier messages that fit into their share, starting with a user's. */
export function fitHistory(model: ChatModel, history: readonly ChatMessage[], maxTokens: number): ChatMessage[] {
  let tokens = 0;
  let first = history.length;
  for (const message of history.toReversed()) {
    tokens += model.countTokens(messageText(message)) + OVERHEAD_TOKENS;
    if (tokens > maxTokens * HISTORY_SHARE) break;
    first -= 1;
  }
  const recent = history.slice(first);
  const opening = recent.findIndex(({ role }) => role === 'user');
  return opening === -1 ? [] : recent.slice(opening);
}

/**
 * Creates a function that fits tool output into the remaining tokens. Omits the oldest output
 * first.
 */
export function createFitter(model: ChatModel) {
  const counted = new WeakMap<object, number>();
  const costOfResult = (part: ToolResultPart): number => {
    const known = counted.get(part);
    if (known !== undefined) return known;
    const texts = [
      part.content,
      ...(part.sources ?? []).flatMap(({ title, passages }) =>
        passages.flatMap(({ text, heading = '' }) => [`${title} ${heading}`, text]),
      ),
    ];
    const tokens = texts.reduce((sum, text) => sum + model.countTokens(text) + OVERHEAD_TOKENS, 0);
    counted.set(part, tokens);
    return tokens;
  };
  const costOf = (message: ChatMessage): number => {
    if (message.role === 'tool') return message.content.reduce((sum, part) => sum + costOfResult(part), 0);
    const calls = message.role === 'assistant' ? message.content.filter(({ type }) => type !== 'text') : [];
    return (
      model.countTokens(messageText(message) + calls.map((call) => JSON.stringify(call)).join('')) + OVERHEAD_TOKENS
    );
  };
  return {
    /** Estimates the tokens of these messages. */
    cost: (messages: readonly ChatMessage[]): number => messages.reduce((sum, message) => sum + costOf(message), 0),
    /** Returns messages of at most `maxTokens` tokens, unchanged if they fit. */
    fit(messages: readonly ChatMessage[], maxTokens: number): readonly ChatMessage[] {
      let over = messages.reduce((sum, message) => sum + costOf(message), 0) - maxTokens;
      if (over <= 0) return messages;
      return messages.map((message) => {
        if (message.role !== 'tool') return message;
        const content = message.content.map((part): ToolResultPart => {
          if (over <= 0) return part;
          over -= costOfResult(part);
          return { type: 'tool_result', callId: part.callId, content: LEFT_OUT, isError: true };
        });
        return { role: 'tool', content };
      });
    },
  };
}
