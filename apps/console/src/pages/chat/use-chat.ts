import type { Body } from '@lectern/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { lectern } from '#api/lectern.ts';
import { toError } from '#api/to-error.ts';
import type { ChatEvent } from '#api/types.ts';
import { type Approval, approvalsOf } from '#pages/chat/step.ts';
import { addEvent, EMPTY_REPLY, type Reply } from '#pages/chat/turn.ts';

export type Question = Body<'streamChat'>;

/** The current question and its reply so far. */
interface Turn {
  /** Undefined if the last reply is regenerated: the conversation already contains the message. */
  readonly message: string | undefined;
  readonly reply: Reply;
}

export interface Chat {
  readonly turn: Turn | undefined;
  readonly isAnswering: boolean;
  readonly error: Error | undefined;
  /** Calls `settle` with true when the server keeps the question, and with false if the reply fails. */
  ask(question: Question, settle: Settle): void;
  /** Regenerates the last reply of a conversation. */
  regenerate(conversationId: string): void;
  /** The runs of the current turn that wait, or waited, for an approval. */
  readonly runIds: readonly string[];
  /** Stops the reply and keeps what was received. A run that waits for an approval is cancelled. */
  stop(): void;
  /** Stops reading the reply. A run that waits for an approval keeps waiting. */
  leave(): void;
  /** Removes the turn. */
  clear(): void;
}

type Events = (signal: AbortSignal) => AsyncIterable<ChatEvent>;
type Settle = (isSafe: boolean) => void;

/** Then the turn is stored, or its run waits for an approval and continues without this page. */
const isSafeAfter = ({ event }: ChatEvent) => event === 'sources' || event === 'pending_approval';

/**
 * Sends a question and streams the reply. Calls `onEnd` with the conversation when the reply is complete,
 * unless the user has left it.
 */
export function useChat(onEnd: (conversationId: string) => void): Chat {
  const queryClient = useQueryClient();
  const [turn, setTurn] = useState<Turn>();
  const [isAnswering, setIsAnswering] = useState(false);
  const [error, setError] = useState<Error>();
  const aborter = useRef<AbortController>(undefined);
  const pending = useRef<Approval>(undefined);
  const ended = useRef(onEnd);
  ended.current = onEnd;

  const leave = useCallback(() => {
    aborter.current?.abort();
    // The reply can be complete already: it must not call `onEnd` anymore.
    aborter.current = undefined;
    setIsAnswering(false);
  }, []);
  useEffect(() => leave, [leave]);

  const follow = useCallback(
    async (message: string | undefined, events: AsyncIterable<ChatEvent>, isCurrent: () => boolean, settle: Settle) => {
      let conversationId: string | undefined;
      let reply = EMPTY_REPLY;
      for await (const event of events) {
        if (isSafeAfter(event)) settle(true);
        if (!isCurrent()) return;
        if (event.event === 'message_start') conversationId = event.data.conversationId;
        reply = addEvent(reply, event);
        pending.current = approvalsOf(reply).find(({ status }) => status === 'pending');
        setTurn({ message, reply });
      }
      await queryClient.invalidateQueries({ queryKey: ['conversations'] });
      if (conversationId !== undefined && isCurrent()) ended.current(conversationId);
    },
    [queryClient],
  );

  const start = useCallback(
    (message: string | undefined, events: Events, settle: Settle = () => undefined) => {
      aborter.current?.abort();
      const controller = new AbortController();
      aborter.current = controller;
      const isCurrent = () => aborter.current === controller;
      pending.current = undefined;
      setError(undefined);
      setIsAnswering(true);
      setTurn({ message, reply: EMPTY_REPLY });
      follow(message, events(controller.signal), isCurrent, settle)
        .catch((thrown: unknown) => {
          if (!isCurrent()) return;
          settle(false);
          if (!controller.signal.aborted) setError(toError(thrown));
        })
        .finally(() => {
          if (isCurrent()) setIsAnswering(false);
        });
    },
    [follow],
  );

  return {
    turn,
    runIds: turn === undefined ? [] : approvalsOf(turn.reply).map(({ runId }) => runId),
    isAnswering,
    error,
    ask: useCallback(
      (question, settle) => start(question.message, (signal) => lectern().chat.stream(question, { signal }), settle),
      [start],
    ),
    regenerate: useCallback(
      (id) => start(undefined, (signal) => lectern().conversations.streamRegenerate(id, {}, { signal })),
      [start],
    ),
    stop: useCallback(() => {
      const { current } = pending;
      if (current !== undefined)
        lectern()
          .runs.cancel(current.agentId, current.runId)
          .catch(() => undefined);
      aborter.current?.abort();
    }, []),
    leave,
    clear: useCallback(() => {
      setTurn(undefined);
      setError(undefined);
    }, []),
  };
}
