import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { streamEvents } from '#api/events.ts';
import type { ChatEvent } from '#api/stream-types.ts';
import { addEvent, EMPTY_REPLY, type Reply } from '#pages/chat/turn.ts';
import { useSession } from '#session/session.ts';

export interface Question {
  readonly message: string;
  readonly conversationId?: string;
  readonly collections?: readonly string[];
  readonly model?: string;
  readonly agentId?: string;
}

/** A question that was just asked, and its reply as far as it has come. */
export interface Turn {
  readonly message: string;
  readonly reply: Reply;
}

export interface Chat {
  readonly turn: Turn | undefined;
  readonly isAnswering: boolean;
  readonly error: Error | undefined;
  ask(question: Question): void;
  /** Breaks the reply off; what has come of it stays. */
  stop(): void;
  /** Forgets the turn, once the conversation that holds it is there. */
  clear(): void;
}

/** Asks, and follows the reply while it is written. `onEnd` is told the conversation when the reply is whole. */
export function useChat(onEnd: (conversationId: string) => void): Chat {
  const { teamId } = useSession();
  const queryClient = useQueryClient();
  const [turn, setTurn] = useState<Turn>();
  const [isAnswering, setIsAnswering] = useState(false);
  const [error, setError] = useState<Error>();
  const leaving = useRef<AbortController>(undefined);
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => () => leaving.current?.abort(), []);

  const follow = useCallback(
    async (question: Question, signal: AbortSignal) => {
      let conversationId = question.conversationId;
      let reply = EMPTY_REPLY;
      const path = `/api/v1/teams/${teamId}/chat/stream`;
      for await (const event of streamEvents<ChatEvent>('POST', path, 'message_end', { body: question, signal })) {
        if (event.event === 'message_start') conversationId = event.data.conversationId;
        reply = addEvent(reply, event);
        setTurn({ message: question.message, reply });
      }
      await queryClient.invalidateQueries({ queryKey: ['conversations'] });
      if (conversationId !== undefined) ended.current(conversationId);
    },
    [teamId, queryClient],
  );

  const ask = useCallback(
    (question: Question) => {
      leaving.current?.abort();
      const controller = new AbortController();
      leaving.current = controller;
      setError(undefined);
      setIsAnswering(true);
      setTurn({ message: question.message, reply: EMPTY_REPLY });
      follow(question, controller.signal)
        .catch((thrown: unknown) => {
          if (!controller.signal.aborted) setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
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
    ask,
    stop: useCallback(() => leaving.current?.abort(), []),
    clear: useCallback(() => setTurn(undefined), []),
  };
}
