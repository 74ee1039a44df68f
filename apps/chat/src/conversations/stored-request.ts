import { z } from 'zod';

/** How a message asked to be answered, so that it can be answered anew in the same way. */
export const storedRequest = z.object({
  collections: z.array(z.string()),
  model: z.string().optional(),
  maxTokens: z.number().optional(),
  /** The agent that answered; a message in a conversation may name one that the conversation was not begun with. */
  agentId: z.string().optional(),
});

export type StoredRequest = Readonly<z.infer<typeof storedRequest>>;
