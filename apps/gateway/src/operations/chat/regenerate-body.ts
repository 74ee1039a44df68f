import type { RegenerateRequest } from '@lectern/contracts';
import type { z } from 'zod';
import { chatBody } from '#operations/chat/chat-body';

/** The body of both operations that answer anew. What is left out is as it was when the message was sent. */
export const regenerateBody = chatBody
  .pick({ collections: true, model: true, maxTokens: true })
  .meta({ examples: [{ maxTokens: 500 }] });

export function regenerateRequest(
  conversationId: string,
  { collections, ...body }: z.output<typeof regenerateBody>,
): RegenerateRequest {
  return { ...body, conversationId, collectionIds: collections ?? [] };
}
