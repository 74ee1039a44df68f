import type { Data } from '@lectern/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ReplyView } from '#pages/chat/reply-view.tsx';
import { storedReply } from '#pages/chat/turn.ts';
import type { Chat } from '#pages/chat/use-chat.ts';
import type { Opened } from '#pages/documents/document-sheet.tsx';
import { Button } from '#ui/button.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';

/** The messages of a conversation and the reply that is being streamed. */
export function Thread({
  conversationId,
  conversation,
  chat: { turn, isAnswering, error, regenerate },
  onOpen,
}: {
  readonly conversationId: string | undefined;
  readonly conversation: UseQueryResult<Data<'getConversation'>>;
  readonly chat: Chat;
  readonly onOpen: (opened: Opened) => void;
}) {
  const end = useRef<HTMLDivElement>(null);
  const stored = conversationId === undefined ? [] : (conversation.data?.messages ?? []);
  // The turn is shown until the loaded conversation contains it.
  const isStored = turn !== undefined && turn.reply.id !== '' && stored.some(({ id }) => id === turn.reply.id);
  const live = isStored ? undefined : turn;
  // A regenerated reply replaces the old one.
  const messages = live !== undefined && live.message === undefined ? stored.slice(0, -1) : stored;
  const lastId = messages.at(-1)?.id;
  useEffect(() => {
    if (live?.message !== undefined) end.current?.scrollIntoView({ block: 'nearest' });
  }, [live?.message]);

  return (
    <div className="thread" aria-live="polite" aria-busy={isAnswering}>
      {conversation.error ? (
        <ErrorNotice error={conversation.error} onRetry={() => void conversation.refetch()} />
      ) : null}
      {conversation.isLoading && !live ? <Loading what="the conversation" /> : null}
      {conversationId === undefined && !live ? (
        <Empty title="Ask your documents">
          <p>Answers cite their sources. Select a number to open the passage in its document.</p>
        </Empty>
      ) : null}
      {messages.map((message) =>
        message.role === 'user' ? (
          <p key={message.id} className="message-user">
            {message.content}
          </p>
        ) : (
          <ReplyView key={message.id} reply={storedReply(message)} onOpen={onOpen}>
            {message.id === lastId && !isAnswering && conversationId !== undefined ? (
              <Button onClick={() => regenerate(conversationId)}>Regenerate</Button>
            ) : null}
          </ReplyView>
        ),
      )}
      {live ? (
        <>
          {live.message === undefined ? null : <p className="message-user">{live.message}</p>}
          <ReplyView reply={live.reply} onOpen={onOpen} />
          {isAnswering && live.reply.content === '' ? <Loading what="the answer" /> : null}
        </>
      ) : null}
      {error ? <ErrorNotice error={error} /> : null}
      <div ref={end} />
    </div>
  );
}
