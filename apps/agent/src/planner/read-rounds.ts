import type { SourceDocument } from '@lectern/grounding';
import { type ChatMessage, lastUserText } from '@lectern/llm';
import { withoutFence } from '#loop/tool-output';

/** A finished tool call for the newest question. */
export interface DoneCall {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly content: string;
  readonly isError: boolean;
  readonly sources: readonly SourceDocument[];
}

/** Returns the newest question and its tool calls in order. */
export function readRounds(messages: readonly ChatMessage[]): {
  readonly lastMessage: string;
  readonly done: readonly DoneCall[];
} {
  const since = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const results = new Map(
    since.flatMap((message) =>
      message.role === 'tool' ? message.content.map((part) => [part.callId, part] as const) : [],
    ),
  );
  const done = since.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    return message.content.flatMap((part): DoneCall[] => {
      const result = part.type === 'tool_call' ? results.get(part.id) : undefined;
      if (part.type !== 'tool_call' || result === undefined) return [];
      const { isError, sources = [] } = result;
      return [{ tool: part.name, params: part.input, content: withoutFence(result.content), isError, sources }];
    });
  });
  return { lastMessage: lastUserText(messages), done };
}
