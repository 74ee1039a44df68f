import { useState } from 'react';
import { ComposerOptions, NO_CHOICES, questionFields } from '#pages/chat/composer-options.tsx';
import { ConversationPage } from '#pages/chat/conversation-page.tsx';
import { t } from '#texts/texts.ts';

/** Questions with a choice of collection, agent and model, next to the list of conversations. */
export default function ChatPage({ conversationId }: { readonly conversationId: string | undefined }) {
  const [choices, setChoices] = useState(NO_CHOICES);
  return (
    <ConversationPage
      conversationId={conversationId}
      base="/chat"
      title={t('chat.chat')}
      hasList
      fields={questionFields(choices)}
      options={<ComposerOptions choices={choices} onChange={setChoices} />}
    />
  );
}
