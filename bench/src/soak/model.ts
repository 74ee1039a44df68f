import { type OpenAiTurn, startOpenAiServer } from '@lectern/testing';

/** The model that everything is asked of. */
export const MODEL = 'gpt-4o';

/** What stands in the first event with content, and what ends each kind of stream. */
export const MARKS = {
  chat: { content: 'event: content_delta', end: 'event: message_end' },
  run: { content: 'event: content\n', end: 'event: run_complete' },
} as const;

/** Each claim cites its source, so that there is nothing to correct. */
const ANSWER = 'The sources speak of it at length, and of what it costs [1]. '.repeat(8);
const PIECE = 12;
const PAUSE_MS = 10;

/** A stand-in for a vendor: an agent looks something up before it answers, a chat is answered at once, in some 40 pieces. */
export function startModel() {
  return startOpenAiServer({
    models: { [MODEL]: {} },
    respond: ({ tools, messages }): OpenAiTurn => {
      const says = { kind: 'message', text: ANSWER, pieceLength: PIECE, pauseMs: PAUSE_MS } as const;
      if (tools === undefined || messages.some(({ role }) => role === 'tool')) return says;
      const asked = messages.findLast(({ role }) => role === 'user')?.content ?? '';
      const query = asked.slice(0, 200);
      return { kind: 'message', toolCalls: [{ id: 'call_1', name: 'search_documents', input: { query } }] };
    },
  });
}
