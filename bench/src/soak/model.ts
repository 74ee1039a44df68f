import { type OpenAiTurn, startOpenAiServer } from '@lectern/testing';

/** The model for all requests. */
export const MODEL = 'gpt-4o';

/**
 * The text that identifies the first event with content, and the last event of each kind of stream.
 */
export const MARKS = {
  chat: { content: 'event: content_delta', end: 'event: message_end' },
  run: { content: 'event: content\n', end: 'event: run_complete' },
} as const;

/** Each claim cites its source, so that no correction is needed. */
const ANSWER = 'The sources describe it in detail, and its cost [1]. '.repeat(8);
const PIECE = 12;
const PAUSE_MS = 10;

/**
 * A fake provider: an agent calls a tool before it answers, a chat is answered immediately in about
 * 40 pieces.
 */
export function startModel() {
  return startOpenAiServer({
    models: { [MODEL]: {} },
    respond: ({ tools, messages }): OpenAiTurn => {
      const answer = { kind: 'message', text: ANSWER, pieceLength: PIECE, pauseMs: PAUSE_MS } as const;
      if (tools === undefined || messages.some(({ role }) => role === 'tool')) return answer;
      const userMessage = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      const query = userMessage.slice(0, 200);
      return { kind: 'message', toolCalls: [{ id: 'call_1', name: 'search_documents', input: { query } }] };
    },
  });
}
