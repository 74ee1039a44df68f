import type { ChatRequest } from '@lectern/contracts';
import { z } from 'zod';
import { id, searchedCollections } from '#http/fields';

const MAX_MESSAGE = 32_000;
const MAX_TOKENS = 1_000_000;

/** The body of both chat operations. */
export const chatBody = z
  .strictObject({
    message: z.string().max(MAX_MESSAGE).regex(/\S/, 'must not be empty'),
    conversationId: id.optional(),
    collections: searchedCollections.optional(),
    model: z.string().min(1).max(200).optional(),
    agentId: id.optional(),
    maxTokens: z.int().min(1).max(MAX_TOKENS).optional(),
  })
  .meta({
    examples: [{ message: 'How many days of leave do I have?', collections: ['col_01h455vb4pex5vsknk084sn02q'] }],
  });

export function chatRequest({ collections, ...body }: z.output<typeof chatBody>): ChatRequest {
  return { ...body, collectionIds: collections ?? [] };
}
