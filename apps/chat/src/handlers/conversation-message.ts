import { MessageStatus, Role } from '@lectern/contracts';
import { withheldText } from '@lectern/grounding';
import type { Caller } from '@lectern/service-kit';
import { type Readable, sourcesOf } from '#conversations/readable-replies';
import { storedConfidence, storedMessageStatus, storedUsage } from '#conversations/stored-reply';
import { isOwn } from '#conversations/visibility';
import { toFeedback } from '#feedback/stored-feedback';
import type { Conversation, Feedback, Message } from '#gen/prisma/client';

const STATUSES = { complete: MessageStatus.COMPLETE, timed_out: MessageStatus.TIMED_OUT } as const;

/** Converts a conversation's row to its contract form for a reader. */
export function toConversation(row: Conversation, caller: Caller) {
  const { id, title, agentId, messageCount, createdAt, updatedAt, userEmail, shared } = row;
  return {
    id,
    title,
    agentId: agentId ?? undefined,
    messageCount,
    createdAt,
    updatedAt,
    user: userEmail ?? undefined,
    shared,
    readOnly: !isOwn(caller, row),
  };
}

/**
 * Converts a message's row to its contract form for a reader of these documents. `feedback` has at
 * most the reader's. A reply that is not visible is withheld.
 */
export function toMessage(
  row: Message & { readonly feedback: readonly Feedback[] },
  readable: Readable,
  isVisible: boolean,
) {
  const { id, content, createdAt } = row;
  const status = STATUSES[storedMessageStatus.parse(row.status)];
  if (row.role === 'user') return { id, role: Role.USER, content, createdAt, status, withheld: false };
  const withheld = !isVisible;
  const [feedback] = row.feedback;
  return {
    id,
    role: Role.ASSISTANT,
    content: withheld ? withheldText(content) : content,
    sources: sourcesOf(row.sources).filter(({ id }) => readable.has(id)),
    answerConfidence: withheld ? undefined : (storedConfidence.nullable().parse(row.confidence) ?? undefined),
    // An invalid token count must not make the conversation unreadable.
    usage: storedUsage.nullable().catch(null).parse(row.usage) ?? undefined,
    createdAt,
    status,
    withheld,
    feedback: feedback === undefined ? undefined : toFeedback(feedback),
  };
}
