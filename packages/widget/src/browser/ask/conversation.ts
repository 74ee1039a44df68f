import { Lectern, type Schemas } from '@lectern/sdk';
import type { Settings } from '#browser/settings';

/** The longest time for an answer. The server needs less. */
const MAX_ANSWER_MS = 300_000;

/** The longest answer in characters. */
const MAX_ANSWER = 200_000;

export type Source = Schemas['ChatSource'];

/** An answer, complete or as far as it was received. */
export interface Answer {
  readonly content: string;
  readonly sources: readonly Source[];
  readonly confidence: Schemas['AnswerConfidence'] | null;
}

/** Questions that follow each other. */
export interface Conversation {
  /** True if the server knows the conversation. */
  readonly isStarted: boolean;
  /** Yields the answer each time it has grown. Throws the errors of the SDK, or the reason of the signal. */
  ask(settings: Settings, question: string, signal: AbortSignal): AsyncGenerator<Answer, void>;
  /** The next question starts a new conversation. */
  reset(): void;
}

/** Sends no cookies: on a page of the server itself, the box must not use the session of the visitor. */
const fetchWithoutCookies: typeof fetch = (input, init) => fetch(input, { ...init, credentials: 'omit' });

/** Creates a conversation that has not started. */
export function createConversation(): Conversation {
  let conversationId: string | undefined;
  let client: { readonly key: string; readonly baseUrl: string; readonly lectern: Lectern } | undefined;

  /** Keeps the client while the key stays the same, because it knows the team of the key. */
  const clientOf = ({ key, baseUrl }: Settings): Lectern => {
    if (client?.key !== key || client.baseUrl !== baseUrl) {
      // The visitor sees how long to wait, and decides when to ask again.
      const lectern = new Lectern({ baseUrl, key, maxRetries: 0, fetch: fetchWithoutCookies });
      client = { key, baseUrl, lectern };
    }
    return client.lectern;
  };

  return {
    get isStarted() {
      return conversationId !== undefined;
    },
    async *ask(settings, question, signal) {
      const { collections } = settings;
      const body = {
        message: question,
        ...(conversationId === undefined ? {} : { conversationId }),
        ...(collections.length === 0 ? {} : { collections: [...collections] }),
      };
      const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_ANSWER_MS)]);
      let answer: Answer = { content: '', sources: [], confidence: null };
      let started: string | undefined;
      for await (const { event, data } of clientOf(settings).chat.stream(body, { signal: limited })) {
        if (event === 'message_start') started = data.conversationId;
        else if (event === 'content_delta') answer = { ...answer, content: answer.content + data.delta };
        else if (event === 'sources') {
          // The server has stored the question. Before this event, a stopped one leaves nothing behind.
          conversationId = started;
          answer = { ...answer, sources: data.sources };
        } else if (event === 'message_end') answer = { ...answer, confidence: data.answer_confidence };
        if (answer.content.length > MAX_ANSWER) throw new RangeError('The answer is too long.');
        yield answer;
      }
    },
    reset: () => {
      conversationId = undefined;
    },
  };
}
