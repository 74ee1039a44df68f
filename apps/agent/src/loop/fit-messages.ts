import { type ChatMessage, type ChatModel, messageText, type ToolResultPart } from '@lectern/llm';

/** Tokens that a message or a passage costs beside its text: roles, marks, numbering. */
const FRAME_TOKENS = 8;

/** The most of the room that earlier messages may fill. */
const HISTORY_SHARE = 0.4;

const LEFT_OUT = '[Left out: there was no room for it any more. Call the tool again where it is needed.]';

/** The newest of the earlier messages that fill at most their share of the room, beginning with a user's. */
export function fitHistory(model: ChatModel, history: readonly ChatMessage[], room: number): ChatMessage[] {
  let tokens = 0;
  let first = history.length;
  for (const message of history.toReversed()) {
    tokens += model.countTokens(messageText(message)) + FRAME_TOKENS;
    if (tokens > room * HISTORY_SHARE) break;
    first -= 1;
  }
  const kept = history.slice(first);
  const opening = kept.findIndex(({ role }) => role === 'user');
  return opening === -1 ? [] : kept.slice(opening);
}

/** Fits what tools gave back into the room that is left: the oldest outputs are left out first, the newest ones last. */
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
    const tokens = texts.reduce((sum, text) => sum + model.countTokens(text) + FRAME_TOKENS, 0);
    counted.set(part, tokens);
    return tokens;
  };
  const costOf = (message: ChatMessage): number => {
    if (message.role === 'tool') return message.content.reduce((sum, part) => sum + costOfResult(part), 0);
    const calls = message.role === 'assistant' ? message.content.filter(({ type }) => type !== 'text') : [];
    return model.countTokens(messageText(message) + calls.map((call) => JSON.stringify(call)).join('')) + FRAME_TOKENS;
  };
  return {
    /** Tokens of these messages, about. */
    cost: (messages: readonly ChatMessage[]): number => messages.reduce((sum, message) => sum + costOf(message), 0),
    /** The messages in `room` tokens; the same ones where they fit. */
    fit(messages: readonly ChatMessage[], room: number): readonly ChatMessage[] {
      let over = messages.reduce((sum, message) => sum + costOf(message), 0) - room;
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
