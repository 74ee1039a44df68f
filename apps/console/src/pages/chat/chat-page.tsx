import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { lectern } from '#api/lectern.ts';
import { useChange } from '#api/use-change.ts';
import { Composer } from '#pages/chat/composer.tsx';
import { ConversationList } from '#pages/chat/conversation-list.tsx';
import { Thread } from '#pages/chat/thread.tsx';
import { useChat } from '#pages/chat/use-chat.ts';
import { DocumentSheet, type Opened } from '#pages/documents/document-sheet.tsx';
import { Button } from '#ui/button.tsx';
import { Collapsible } from '#ui/collapsible.tsx';
import { Confirm } from '#ui/confirm.tsx';
import { PageHead } from '#ui/page-head.tsx';

/** A new or existing conversation, next to the list of conversations. */
export default function ChatPage({ conversationId }: { readonly conversationId: string | undefined }) {
  const [, navigate] = useLocation();
  const [opened, setOpened] = useState<Opened>();
  const chat = useChat((id) => id === conversationId || navigate(`/chat/${id}`));
  const { clear, stop } = chat;
  const conversation = useQuery({
    queryKey: ['conversations', 'one', conversationId],
    queryFn: ({ signal }) => lectern().conversations.get(conversationId ?? '', { signal }),
    enabled: conversationId !== undefined,
  });
  function startNew() {
    stop();
    clear();
    navigate('/chat');
  }
  const remove = useChange(() => lectern().conversations.delete(conversationId ?? ''), ['conversations'], startNew);
  const lastId = useRef(conversationId);
  useEffect(() => {
    // The turn belongs to the previous conversation, unless it created this one.
    if (lastId.current !== undefined && lastId.current !== conversationId) {
      stop();
      clear();
    }
    lastId.current = conversationId;
  }, [conversationId, stop, clear]);

  return (
    <>
      <PageHead title="Chat">
        <Button onClick={startNew}>New conversation</Button>
        {conversationId === undefined ? null : (
          <Confirm label="Delete" question="Delete this conversation?" mutation={remove} />
        )}
      </PageHead>
      <div className="chat">
        <aside className="stack" aria-label="Conversations">
          <Collapsible label="Conversations">
            <ConversationList current={conversationId} />
          </Collapsible>
        </aside>
        <section className="stack" aria-label="Conversation">
          <Thread conversationId={conversationId} conversation={conversation} chat={chat} onOpen={setOpened} />
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
