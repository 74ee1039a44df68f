import { LecternError } from '@lectern/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { AskForm } from '#pages/ask/ask-form.tsx';
import { AskThread } from '#pages/ask/ask-thread.tsx';
import { History } from '#pages/ask/history.tsx';
import { Start } from '#pages/ask/start.tsx';
import { useDraft } from '#pages/ask/use-draft.ts';
import { useChat } from '#pages/chat/use-chat.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { PageHead } from '#ui/page-head.tsx';

const MAX_LINKED = 2_000;

/** Ask a question, read the cited answer, ask a follow-up. A link with `?q=` fills in the question. */
export default function AskPage({ conversationId }: { readonly conversationId: string | undefined }) {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  // Only the person asks: a link could otherwise cause costs, or an unwanted conversation.
  const linked = conversationId === undefined ? (params.get('q') ?? '').slice(0, MAX_LINKED) : '';
  const place = conversationId ?? (linked === '' ? 'new' : `q:${linked}`);
  const draft = useDraft(place, linked);
  const [opened, setOpened] = useState<Opened>();
  const [showsHistory, setShowsHistory] = useState(false);
  /** The conversation that the current turn belongs to. Undefined for a new one. */
  const turnOf = useRef<string>(undefined);
  const asked = useRef('');
  const chat = useChat((id) => {
    draft.finish(asked.current, id);
    turnOf.current = id;
    if (id !== conversationId) navigate(`/ask/${id}`);
  });
  const { clear, stop } = chat;
  const conversation = useQuery({
    queryKey: ['conversations', 'one', conversationId],
    queryFn: ({ signal }) => lectern().conversations.get(conversationId ?? '', { signal }),
    enabled: conversationId !== undefined,
  });
  useEffect(() => {
    if (turnOf.current === conversationId) return;
    turnOf.current = conversationId;
    stop();
    clear();
  }, [conversationId, stop, clear]);

  function startNew() {
    stop();
    clear();
    navigate('/ask');
  }
  function ask(message: string) {
    asked.current = message;
    draft.change(message);
    draft.send();
    chat.ask({ message, ...(conversationId === undefined ? {} : { conversationId }) });
  }
  function retry() {
    if (chat.turn?.message !== undefined) ask(chat.turn.message);
    else if (conversationId !== undefined) chat.regenerate(conversationId);
  }
  const remove = useChange(() => lectern().conversations.delete(conversationId ?? ''), ['conversations'], startNew);
  const isNew = conversationId === undefined && chat.turn === undefined;
  const isMissing = conversation.error instanceof LecternError && conversation.error.status === 404;

  return (
    <div className={isNew ? 'ask ask-new' : 'ask'}>
      <PageHead
        title={conversation.data?.title || 'Ask'}
        intro={isNew ? 'Answers come from documents that you can read, and show where they come from.' : undefined}
      >
        {isNew ? null : <Button onClick={startNew}>New question</Button>}
        <Button onClick={() => setShowsHistory(true)}>History</Button>
        {conversationId === undefined || isMissing ? null : (
          <Confirm label="Delete" question="Delete this conversation?" mutation={remove} />
        )}
      </PageHead>
      {isMissing ? (
        <Empty title="This conversation does not exist">
          <p>It was deleted, or it belongs to somebody else.</p>
          <p>
            <Link href="/ask">Ask a new question</Link>
          </p>
        </Empty>
      ) : (
        <>
          {conversation.error ? (
            <ErrorNotice error={conversation.error} onRetry={() => void conversation.refetch()} />
          ) : null}
          {isNew ? null : (
            <AskThread
              conversationId={conversationId}
              conversation={conversation}
              chat={chat}
              onOpen={setOpened}
              onRetry={retry}
            />
          )}
          <AskForm draft={draft} isFollowUp={!isNew} isAnswering={chat.isAnswering} onAsk={ask} onStop={stop} />
          {isNew ? <Start onAsk={ask} /> : null}
        </>
      )}
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
      <History current={conversationId} isOpen={showsHistory} onOpenChange={setShowsHistory} />
    </div>
  );
}
