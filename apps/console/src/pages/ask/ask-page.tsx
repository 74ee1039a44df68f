import { ConversationPage } from '#pages/chat/conversation-page.tsx';
import { t } from '#texts/texts.ts';

/** Ask a question, read the cited answer, ask a follow-up. */
export default function AskPage({ conversationId }: { readonly conversationId: string | undefined }) {
  return <ConversationPage conversationId={conversationId} base="/ask" title={t('chat.ask')} />;
}
