import { withoutMarkers } from '@lectern/grounding';
import { AppError } from '@lectern/service-kit';
import type { AssistantMessage, ChatMessage, TextPart, ToolResultPart } from '#model/chat-message';

type UserMessage = Extract<ChatMessage, { role: 'user' }>;
type ToolMessage = Extract<ChatMessage, { role: 'tool' }>;

/**
 * Brings a conversation into the form that every provider accepts: it starts with the user, roles
 * alternate, no message is empty, and every tool call has a result. Removes citation markers from
 * earlier replies, because their numbers refer to other sources.
 * Throws AppError `invalid_request` for a call without a result, or if the last message is a reply.
 */
export function normalizeMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const cleaned = withoutBlanks(message);
    if (cleaned.content.length === 0) continue;
    const last = turns.at(-1);
    if (last === undefined && cleaned.role !== 'user') continue;
    const joined = last === undefined ? undefined : join(last, cleaned);
    if (joined) turns[turns.length - 1] = joined;
    else turns.push(cleaned);
  }
  for (const [at, turn] of turns.entries()) if (turn.role === 'assistant') requireResults(turn, turns[at + 1]);
  const last = turns.at(-1);
  if (last === undefined || last.role === 'assistant') {
    throw new AppError('invalid_request', 'The conversation has no user message to answer.');
  }
  return turns;
}

function withoutBlanks(message: ChatMessage): ChatMessage {
  const isNotBlank = (part: { type: string; text?: string }) => part.type !== 'text' || part.text?.trim() !== '';
  if (message.role === 'user') return { role: 'user', content: message.content.filter(isNotBlank) };
  if (message.role === 'tool') return message;
  const content = message.content.map((part) =>
    part.type === 'text' ? { ...part, text: withoutMarkers(part.text).trimEnd() } : part,
  );
  return { role: 'assistant', content: content.filter(isNotBlank) };
}

function join(a: ChatMessage, b: ChatMessage): ChatMessage | undefined {
  if (a.role === 'user' && b.role === 'user') return joinUser(a, b);
  if (a.role === 'tool' && b.role === 'tool') return joinTool(a, b);
  if (a.role === 'assistant' && b.role === 'assistant')
    return { role: 'assistant', content: [...a.content, ...b.content] };
  return undefined;
}

function joinUser(a: UserMessage, b: UserMessage): UserMessage {
  return { role: 'user', content: [...a.content, ...b.content] satisfies TextPart[] };
}

function joinTool(a: ToolMessage, b: ToolMessage): ToolMessage {
  return { role: 'tool', content: [...a.content, ...b.content] satisfies ToolResultPart[] };
}

function requireResults(message: AssistantMessage, next: ChatMessage | undefined): void {
  const answered = new Set(next?.role === 'tool' ? next.content.map(({ callId }) => callId) : []);
  for (const part of message.content) {
    if (part.type === 'tool_call' && !answered.has(part.id)) {
      throw new AppError('invalid_request', `The call of the tool "${part.name}" has no result.`);
    }
  }
}
