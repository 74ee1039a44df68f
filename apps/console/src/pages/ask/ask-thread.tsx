import type { Data } from '@lectern/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Message } from '#api/types.ts';
import { Answer } from '#pages/ask/answer.tsx';
import { announcedText, answerText } from '#pages/ask/answer-text.ts';
import { CopyButton } from '#pages/ask/copy-button.tsx';
import { Feedback } from '#pages/ask/feedback.tsx';
import { useFollow } from '#pages/ask/use-follow.ts';
import { storedReply } from '#pages/chat/turn.ts';
import type { Chat } from '#pages/chat/use-chat.ts';
import type { Opened } from '#pages/documents/document-sheet.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Loading } from '#ui/loading.tsx';

/** The questions and answers of a conversation, and the answer that is being written. */
export function AskThread({
  conversationId,
  conversation,
  chat: { turn, isAnswering, error, regenerate },
  onOpen,
  onRetry,
}: {
  readonly conversationId: string | undefined;
  readonly conversation: UseQueryResult<Data<'getConversation'>>;
  readonly chat: Chat;
  readonly onOpen: (opened: Opened) => void;
  readonly onRetry: () => void;
}) {
  const stored = conversationId === undefined ? [] : (conversation.data?.messages ?? []);
  // The turn is shown until the loaded conversation contains it.
  const isStored = turn !== undefined && turn.reply.id !== '' && stored.some(({ id }) => id === turn.reply.id);
  const live = isStored ? undefined : turn;
  // A new answer to the last question replaces the old one.
  const messages = live !== undefined && live.message === undefined ? stored.slice(0, -1) : stored;
  const lastId = messages.at(-1)?.id;
  useFollow(isAnswering, live?.reply);

  const actionsOf = (message: Message) => (
    <>
      {message.withheld || conversationId === undefined ? null : (
        <>
          <CopyButton text={answerText(storedReply(message))} />
          <Feedback conversationId={conversationId} messageId={message.id} feedback={message.feedback ?? null} />
        </>
      )}
      {message.id === lastId && !isAnswering && conversationId !== undefined ? (
        <Button onClick={() => regenerate(conversationId)}>Answer again</Button>
      ) : null}
    </>
  );

  return (
    <div className="ask-thread">
      {conversation.isLoading && !live ? <Loading what="the conversation" /> : null}
      {messages.map((message) =>
        message.role === 'user' ? (
          <h2 key={message.id} className="message-user">
            {message.content}
          </h2>
        ) : (
          <div key={message.id} className="stack">
            <Answer reply={storedReply(message)} onOpen={onOpen}>
              {actionsOf(message)}
            </Answer>
            {message.status === 'timed_out' ? (
              <p className="notice notice-warn">This answer took too long and is incomplete. Answer it again.</p>
            ) : null}
          </div>
        ),
      )}
      {live ? (
        <>
          {live.message === undefined ? null : <h2 className="message-user">{live.message}</h2>}
          {live.reply.content === '' ? null : <Answer reply={live.reply} onOpen={onOpen} />}
          {isAnswering && live.reply.content === '' ? (
            <p className="loading">
              <span className="spinner" aria-hidden="true" />
              Searching your documents…
            </p>
          ) : null}
          {isAnswering || error ? null : (
            <p className="row muted">
              You stopped this answer. <Button onClick={onRetry}>Answer again</Button>
            </p>
          )}
        </>
      ) : null}
      {error ? <ErrorNotice error={error} onRetry={onRetry} /> : null}
      {/* Screen readers read the answer once, when it is complete. */}
      <p className="visually-hidden" role="status">
        {isAnswering
          ? 'Searching your documents.'
          : turn === undefined
            ? ''
            : `Answer: ${announcedText(turn.reply.content)}`}
      </p>
    </div>
  );
}
