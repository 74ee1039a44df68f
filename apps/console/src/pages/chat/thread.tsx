import type { Data } from '@lectern/sdk';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Message } from '#api/types.ts';
import { ApprovalCard } from '#pages/approvals/approval-card.tsx';
import { Answer } from '#pages/chat/answer.tsx';
import { announcedText, answerText } from '#pages/chat/answer-text.ts';
import { Feedback } from '#pages/chat/feedback.tsx';
import { FoldedSteps } from '#pages/chat/folded-steps.tsx';
import { QuestionView } from '#pages/chat/question.tsx';
import { approvalsOf } from '#pages/chat/step.ts';
import { storedReply } from '#pages/chat/turn.ts';
import type { Chat } from '#pages/chat/use-chat.ts';
import type { Opened } from '#pages/documents/document-sheet.tsx';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { Loading } from '#ui/loading.tsx';
import { RichText } from '#ui/rich-text.tsx';

/** The questions and answers of a conversation, and the answer that is being written. */
export function Thread({
  conversationId,
  conversation,
  chat: { turn, isAnswering, error, regenerate },
  onOpen,
  onAsk,
  onRetry,
}: {
  readonly conversationId: string | undefined;
  readonly conversation: UseQueryResult<Data<'getConversation'>>;
  readonly chat: Chat;
  readonly onOpen: (opened: Opened) => void;
  /** Undefined for a conversation that the reader cannot continue. */
  readonly onAsk: ((question: string) => void) | undefined;
  readonly onRetry: () => void;
}) {
  const newest = useRef<HTMLDivElement>(null);
  const stored = conversationId === undefined ? [] : (conversation.data?.messages ?? []);
  // The turn is shown until the loaded conversation contains it.
  const isStored = turn !== undefined && turn.reply.id !== '' && stored.some(({ id }) => id === turn.reply.id);
  const live = isStored ? undefined : turn;
  // A new answer to the last question replaces the old one.
  const messages = live !== undefined && live.message === undefined ? stored.slice(0, -1) : stored;
  const lastId = messages.at(-1)?.id;
  const lastQuestionId = messages.findLast(({ role }) => role === 'user')?.id;
  const waits = live !== undefined && approvalsOf(live.reply).some(({ status }) => status === 'pending');
  const isReopened = turn === undefined && stored.length > 0;
  const hasEarlier = stored.length > 2;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls once when a conversation is opened.
  useEffect(() => {
    if (isReopened && hasEarlier) newest.current?.scrollIntoView({ block: 'start' });
  }, [conversationId, isReopened]);

  const actionsOf = (message: Message) => (
    <>
      {message.withheld || conversationId === undefined ? null : (
        <>
          <CopyButton text={answerText(storedReply(message))} />
          {onAsk === undefined ? null : (
            <Feedback conversationId={conversationId} messageId={message.id} feedback={message.feedback ?? null} />
          )}
        </>
      )}
      {message.id === lastId && !isAnswering && conversationId !== undefined && onAsk !== undefined ? (
        <IconButton icon="again" label={t('chat.answerAgain')} isQuiet onClick={() => regenerate(conversationId)} />
      ) : null}
    </>
  );

  return (
    <div className="thread">
      {conversation.isLoading && !live ? <Loading what={t('chat.what.conversation')} /> : null}
      {messages.map((message) =>
        message.role === 'user' ? (
          <div key={message.id} ref={message.id === lastQuestionId ? newest : undefined} className="turn-start">
            <QuestionView text={message.content} isAnswering={isAnswering} onAsk={onAsk} />
          </div>
        ) : (
          <div key={message.id} className="stack">
            {isStored && message.id === turn.reply.id ? <FoldedSteps steps={turn.reply.steps} isDone /> : null}
            <Answer reply={storedReply(message)} onOpen={onOpen}>
              {actionsOf(message)}
            </Answer>
            {message.status === 'timed_out' ? <p className="notice notice-warn">{t('chat.timedOut')}</p> : null}
          </div>
        ),
      )}
      {live ? (
        <>
          {live.message === undefined ? null : (
            <QuestionView text={live.message} isAnswering={isAnswering} onAsk={isAnswering ? undefined : onAsk} />
          )}
          <FoldedSteps steps={live.reply.steps} isDone={!isAnswering} />
          {approvalsOf(live.reply).map((approval) => (
            <ApprovalCard key={approval.id} approval={approval} />
          ))}
          {live.reply.content === '' ? null : <Answer reply={live.reply} onOpen={onOpen} />}
          {isAnswering && live.reply.content === '' && !waits ? (
            <p className="loading">
              <span className="spinner" aria-hidden="true" />
              {t('chat.searching')}
            </p>
          ) : null}
          {isAnswering || error ? null : (
            <p className="row muted">
              <RichText name="chat.stopped" elements={{ again: <Button onClick={onRetry} /> }} />
            </p>
          )}
        </>
      ) : null}
      {error ? <ErrorNotice error={error} onRetry={onRetry} /> : null}
      {/* Screen readers read the answer once, when it is complete. */}
      <p className="visually-hidden" role="status">
        {isAnswering
          ? waits
            ? t('chat.announced.waiting')
            : t('chat.announced.searching')
          : turn === undefined || turn.reply.content === ''
            ? ''
            : t('chat.announced.answer', { text: announcedText(turn.reply.content) })}
      </p>
    </div>
  );
}
