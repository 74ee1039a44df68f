import { type Data, LecternError } from '@lectern/sdk';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { WaitingRuns } from '#pages/approvals/waiting-runs.tsx';
import { Composer } from '#pages/chat/composer.tsx';
import { ConversationList } from '#pages/chat/conversation-list.tsx';
import { RenameConversation } from '#pages/chat/rename-conversation.tsx';
import { ShareConversation, StopSharing } from '#pages/chat/share-conversation.tsx';
import { Start } from '#pages/chat/start.tsx';
import { Thread } from '#pages/chat/thread.tsx';
import { type Question, useChat } from '#pages/chat/use-chat.ts';
import { useDraft } from '#pages/chat/use-draft.ts';
import { useFollow } from '#pages/chat/use-follow.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { useAccess } from '#session/session.ts';
import { t } from '#texts/texts.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Icon } from '#ui/icon.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { Sheet } from '#ui/sheet.tsx';
import { useMedia } from '#ui/use-media.ts';

const MAX_LINKED = 2_000;

interface ConversationPageProps {
  readonly conversationId: string | undefined;
  /** The address of the page, without a conversation. */
  readonly base: '/ask' | '/chat';
  /** The title without a conversation. */
  readonly title: string;
  /** Shows the list of conversations next to the thread where there is space. */
  readonly hasList?: boolean;
  /** Further fields of each question, and the controls that set them. */
  readonly fields?: Omit<Question, 'message'>;
  readonly options?: ReactNode;
}

/** The sentence below the title. */
function introOf(isNew: boolean, loaded: Data<'getConversation'> | undefined): string | undefined {
  if (isNew) return t('chat.intro');
  if (loaded?.readOnly !== true) return undefined;
  return loaded.user === null ? t('chat.shared') : t('chat.sharedBy', { person: loaded.user });
}

/** Questions and cited answers. A link with `?q=` fills in the question. */
export function ConversationPage({
  conversationId,
  base,
  title,
  hasList = false,
  fields,
  options,
}: ConversationPageProps) {
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  // Only the person asks: a link could otherwise cause costs, or an unwanted conversation.
  const linked = conversationId === undefined ? (params.get('q') ?? '').slice(0, MAX_LINKED) : '';
  const place = conversationId ?? (linked === '' ? 'new' : `q:${linked}`);
  const draft = useDraft(place, linked);
  const field = useRef<HTMLTextAreaElement>(null);
  const [opened, setOpened] = useState<Opened>();
  const [showsHistory, setShowsHistory] = useState(false);
  const isWide = useMedia('(min-width: 1100px)');
  /** The conversation that the current turn belongs to. Undefined for a new one. */
  const turnOf = useRef<string>(undefined);
  const chat = useChat((id) => {
    draft.moveTo(id);
    turnOf.current = id;
    // The back button would fill in the question of the link again.
    if (id !== conversationId) navigate(`${base}/${id}`, { replace: linked !== '' });
  });
  const { clear, leave, stop } = chat;
  const { isFar, toEnd } = useFollow(chat.isAnswering, chat.turn?.reply);
  const conversation = useQuery({
    queryKey: ['conversations', 'one', conversationId],
    queryFn: ({ signal }) => lectern().conversations.get(conversationId ?? '', { signal }),
    enabled: conversationId !== undefined,
  });
  useEffect(() => {
    if (turnOf.current === conversationId) return;
    turnOf.current = conversationId;
    leave();
    clear();
  }, [conversationId, leave, clear]);

  function startNew() {
    leave();
    clear();
    navigate(base);
    field.current?.focus();
  }
  function ask(message: string) {
    const settle = draft.send(message);
    chat.ask({ ...fields, message, ...(conversationId === undefined ? {} : { conversationId }) }, settle);
  }
  function retry() {
    if (chat.turn?.message !== undefined) ask(chat.turn.message);
    else if (conversationId !== undefined) chat.regenerate(conversationId);
  }
  const remove = useChange(() => lectern().conversations.delete(conversationId ?? ''), ['conversations'], startNew);
  const isNew = conversationId === undefined && chat.turn === undefined;
  const isMissing = conversation.error instanceof LecternError && conversation.error.status === 404;
  const showsList = hasList && isWide;
  // After an error, the query keeps the earlier data.
  const loaded = isMissing ? undefined : conversation.data;
  const isReadOnly = loaded?.readOnly === true;
  const mayStopSharing = useAccess('editor', 'chat');

  const content = isMissing ? (
    <Empty title={t('chat.missing')}>
      <p>{t('chat.missingReason')}</p>
      <p>
        <Link href={base}>{t('chat.askNew')}</Link>
      </p>
    </Empty>
  ) : (
    <>
      {conversation.error ? (
        <ErrorNotice error={conversation.error} onRetry={() => void conversation.refetch()} />
      ) : null}
      {isNew ? null : (
        <Thread
          conversationId={conversationId}
          conversation={conversation}
          chat={chat}
          onOpen={setOpened}
          onAsk={
            isReadOnly
              ? undefined
              : (edited) => {
                  ask(edited);
                  field.current?.focus({ preventScroll: true });
                }
          }
          onRetry={retry}
        />
      )}
      <WaitingRuns isOwnOnly shown={chat.runIds} />
      <div className="dock">
        {isFar && !isNew ? <IconButton icon="end" label={t('chat.toEnd')} className="to-end" onClick={toEnd} /> : null}
        {isReadOnly ? null : (
          <Composer
            field={field}
            draft={draft}
            isFollowUp={!isNew}
            isAnswering={chat.isAnswering}
            onAsk={ask}
            onStop={stop}
          >
            {options}
          </Composer>
        )}
      </div>
      {isNew ? <Start onAsk={ask} /> : null}
    </>
  );

  return (
    <div className={`conversation-layout ${showsList ? 'conversation-with-list' : ''}`}>
      {showsList ? (
        <aside className="conversation-list" aria-label={t('chat.conversations')}>
          <ConversationList base={base} current={conversationId} />
        </aside>
      ) : null}
      <div className={isNew ? 'conversation conversation-new' : 'conversation'}>
        <PageHead title={loaded?.title || title} intro={introOf(isNew, loaded)}>
          {isNew ? null : (
            <Button onClick={startNew}>
              <Icon name="add" size={16} />
              {t('chat.newQuestion')}
            </Button>
          )}
          {showsList ? null : (
            <Button onClick={() => setShowsHistory(true)}>
              <Icon name="history" size={16} />
              {t('chat.history')}
            </Button>
          )}
          {conversationId !== undefined && isReadOnly && mayStopSharing ? <StopSharing id={conversationId} /> : null}
          {conversationId === undefined || isMissing || isReadOnly ? null : (
            <>
              {loaded === undefined ? null : (
                <>
                  <ShareConversation id={conversationId} isShared={loaded.shared} />
                  <RenameConversation id={conversationId} title={loaded.title} />
                </>
              )}
              <Confirm
                label={t('chat.delete')}
                question={t('chat.deleteQuestion')}
                done={t('chat.deleted')}
                mutation={remove}
              />
            </>
          )}
        </PageHead>
        {content}
      </div>
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
      <Sheet title={t('chat.yourQuestions')} isOpen={showsHistory} onOpenChange={setShowsHistory}>
        <ConversationList base={base} current={conversationId} onChoose={() => setShowsHistory(false)} />
      </Sheet>
    </div>
  );
}
