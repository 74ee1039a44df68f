import type { Body } from '@lectern/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { toError } from '#api/to-error.ts';
import type { ChatEvent } from '#api/types.ts';
import { addEvent, EMPTY_REPLY, type Reply } from '#pages/chat/turn.ts';

export type Question = Body<'streamChat'>;

/** What was just asked, and its reply as far as it has come. */
export interface Turn {
  /** Undefined where the last message is answered anew: it is there already. */
  readonly message: string | undefined;
  readonly reply: Reply;
}

export interface Chat {
  readonly turn: Turn | undefined;
  readonly isAnswering: boolean;
  readonly error: Error | undefined;
  ask(question: Question): void;
  /** Answers the last message of a conversation once more. */
  answerAnew(conversationId: string): void;
  /** Breaks the reply off; what has come of it stays. */
  stop(): void;
  /** Forgets the turn, once the conversation that holds it is there. */
  clear(): void;
}

type Events = (signal: AbortSignal) => AsyncIterable<ChatEvent>;

/** Asks, and follows the reply while it is written. `onEnd` is told the conversation when the reply is whole. */
export function useChat(onEnd: (conversationId: string) => void): Chat {
  const queryClient = useQueryClient();
  const [turn, setTurn] = useState<Turn>();
  const [isAnswering, setIsAnswering] = useState(false);
  const [error, setError] = useState<Error>();
  const leaving = useRef<AbortController>(undefined);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => () => leaving.current?.abort(), []);

  const follow = useCallback(
    async (message: string | undefined, events: AsyncIterable<ChatEvent>) => {
      let conversationId: string | undefined;
      let reply = EMPTY_REPLY;
      for await (const event of events) {
        if (event.event === 'message_start') conversationId = event.data.conversationId;
        reply = addEvent(reply, event);
        setTurn({ message, reply });
      }
      await queryClient.invalidateQueries({ queryKey: ['conversations'] });
      if (conversationId !== undefined) ended.current(conversationId);
    },
    [queryClient],
  );

  const begin = useCallback(
    (message: string | undefined, events: Events) => {
      leaving.current?.abort();
      const controller = new AbortController();
      leaving.current = controller;
      setError(undefined);
      setIsAnswering(true);
      setTurn({ message, reply: EMPTY_REPLY });
      follow(message, events(controller.signal))
        .catch((thrown: unknown) => {
          if (!controller.signal.aborted) setError(toError(thrown));
        })
        .finally(() => {
          if (leaving.current === controller) setIsAnswering(false);
        });
    },
    [follow],
  );

  return {
    turn,
    isAnswering,
    error,
    ask: useCallback(
      (question) => begin(question.message, (signal) => lectern().chat.stream(question, { signal })),
      [begin],
    ),
    answerAnew: useCallback(
      (id) => begin(undefined, (signal) => lectern().conversations.streamRegenerate(id, {}, { signal })),
      [begin],
    ),
    stop: useCallback(() => leaving.current?.abort(), []),
    clear: useCallback(() => {
      setTurn(undefined);
      setError(undefined);
    }, []),
  };
}
