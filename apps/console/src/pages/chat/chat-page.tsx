import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '#api/request.ts';
import type { ConversationRecord } from '#api/types.ts';
import { Composer } from '#pages/chat/composer.tsx';
import { ConversationList } from '#pages/chat/conversation-list.tsx';
import { ReplyView } from '#pages/chat/reply-view.tsx';
import { storedReply } from '#pages/chat/turn.ts';
import { useChat } from '#pages/chat/use-chat.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { useSession } from '#session/session.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { Empty } from '#ui/empty.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { Folded } from '#ui/folded.tsx';
import { Loading } from '#ui/loading.tsx';
import { PageHead } from '#ui/page-head.tsx';

/** A conversation, or a new one, beside the earlier ones. */
export default function ChatPage({ conversationId }: { readonly conversationId: string | undefined }) {
  const { teamId } = useSession();
  const queryClient = useQueryClient();
  const [, navigate] = useLocation();
  const [opened, setOpened] = useState<Opened>();
  const end = useRef<HTMLDivElement>(null);
  const chat = useChat((id) => id === conversationId || navigate(`/chat/${id}`));
  const path = `/api/v1/teams/${teamId}/conversations/${conversationId}`;
  const conversation = useQuery({
    queryKey: ['conversations', 'one', conversationId],
    queryFn: ({ signal }) => call<ConversationRecord>('GET', path, { signal }),
    enabled: conversationId !== undefined,
  });
  const messages = conversationId === undefined ? [] : (conversation.data?.messages ?? []);
  const { turn, clear, stop } = chat;
  // A turn is shown until the conversation that was read holds it.
  const isStored = turn !== undefined && turn.reply.id !== '' && messages.some(({ id }) => id === turn.reply.id);
  const live = isStored ? undefined : turn;
  useEffect(() => {
    if (live?.message !== undefined) end.current?.scrollIntoView({ block: 'nearest' });
  }, [live?.message]);
  const lastId = useRef(conversationId);
  useEffect(() => {
    // To another conversation: the turn belongs to the one before, unless it is what made this one.
    if (lastId.current !== undefined && lastId.current !== conversationId) {
      stop();
      clear();
    }
    lastId.current = conversationId;
  }, [conversationId, stop, clear]);

  return (
    <>
      <PageHead title="Chat">
        <Button
          onClick={() => {
            stop();
            clear();
            navigate('/chat');
          }}
        >
          New conversation
        </Button>
        {conversationId === undefined ? null : (
          <Confirm
            label="Delete"
            question="Delete this conversation?"
            action={() => call('DELETE', path)}
            onDone={() => {
              clear();
              navigate('/chat');
              void queryClient.invalidateQueries({ queryKey: ['conversations'] });
            }}
          />
        )}
      </PageHead>
      <div className="chat">
        <aside className="stack" aria-label="Conversations">
          <Folded label="Conversations">
            <ConversationList current={conversationId} />
          </Folded>
        </aside>
        <section className="stack" aria-label="Conversation">
          <div className="thread" aria-live="polite" aria-busy={chat.isAnswering}>
            {conversation.error ? (
              <ErrorNotice error={conversation.error} onRetry={() => conversation.refetch()} />
            ) : null}
            {conversationId !== undefined && conversation.isPending && !live ? (
              <Loading what="the conversation" />
            ) : null}
            {conversationId === undefined && !live ? (
              <Empty title="Ask your documents">
                <p>Answers quote what they rest on. Each number opens the passage in its document.</p>
              </Empty>
            ) : null}
            {messages.map((message) =>
              message.role === 'user' ? (
                <p key={message.id} className="message-user">
                  {message.content}
                </p>
              ) : (
                <ReplyView key={message.id} reply={storedReply(message)} onOpen={setOpened} />
              ),
            )}
            {live ? (
              <>
                <p className="message-user">{live.message}</p>
                <ReplyView reply={live.reply} onOpen={setOpened} />
                {chat.isAnswering && live.reply.content === '' ? <Loading what="the answer" /> : null}
              </>
            ) : null}
            {chat.error ? <ErrorNotice error={chat.error} /> : null}
            <div ref={end} />
          </div>
          <Composer
            isAnswering={chat.isAnswering}
            onAsk={(question) => chat.ask({ ...question, ...(conversationId === undefined ? {} : { conversationId }) })}
            onStop={stop}
          />
        </section>
      </div>
      <DocumentSheet opened={opened} onClose={() => setOpened(undefined)} />
    </>
  );
}
