import type { ToolCallPart } from '#model/chat-message';
import type { ChatRequest } from '#model/chat-model';
import { promptTexts } from '#tokens/prompt-texts';

/** Tokens that a message costs beside its text. */
const FRAME_TOKENS = 4;

type CountTokens = (text: string) => number;

/** Tokens of a request's prompt, where its server does not tell. */
export function countPrompt(countTokens: CountTokens, request: ChatRequest): number {
  return countAll(countTokens, promptTexts(request)) + FRAME_TOKENS * (request.messages.length + 1);
}

/** Tokens of a reply, where its server does not tell. */
export function countReply(countTokens: CountTokens, said: string, calls: readonly ToolCallPart[]): number {
  return countAll(countTokens, [said, ...calls.flatMap(({ name, input }) => [name, JSON.stringify(input)])]);
}

function countAll(countTokens: CountTokens, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}
