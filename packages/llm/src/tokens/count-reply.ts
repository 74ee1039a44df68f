import type { ToolCallPart } from '#model/chat-message';
import type { ChatRequest } from '#model/chat-model';
import { promptTexts } from '#tokens/prompt-texts';

/** Tokens of a message in addition to its text. */
const FRAME_TOKENS = 4;

type CountTokens = (text: string) => number;

/** Counts the tokens of a prompt, for servers that do not report them. */
export function countPrompt(countTokens: CountTokens, request: ChatRequest): number {
  return countAll(countTokens, promptTexts(request)) + FRAME_TOKENS * (request.messages.length + 1);
}

/** Counts the tokens of a reply, for servers that do not report them. */
export function countReply(countTokens: CountTokens, text: string, calls: readonly ToolCallPart[]): number {
  return countAll(countTokens, [text, ...calls.flatMap(({ name, input }) => [name, JSON.stringify(input)])]);
}

function countAll(countTokens: CountTokens, texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}
