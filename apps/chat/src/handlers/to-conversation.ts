import { Role } from '@lectern/contracts';
import { z } from 'zod';
import { storedConfidence, storedSource, storedUsage } from '#conversations/stored-reply';
import type { Conversation, Message } from '#gen/prisma/client';

/** A conversation's row as the contract shows it. */
export function toConversation({ id, title, agentId, messageCount, createdAt, updatedAt }: Conversation) {
  return { id, title, agentId: agentId ?? undefined, messageCount, createdAt, updatedAt };
}

/** A message's row as the contract shows it. */
export function toMessage({ id, role, content, sources, confidence, usage, createdAt }: Message) {
  if (role === 'user') return { id, role: Role.USER, content, createdAt };
  return {
    id,
    role: Role.ASSISTANT,
    content,
    sources: z.array(storedSource).parse(sources),
    answerConfidence: storedConfidence.parse(confidence),
    usage: storedUsage.parse(usage),
    createdAt,
  };
}
