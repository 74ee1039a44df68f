import { z } from 'zod';

/** The options of a message, stored so that its reply can be regenerated with them. */
export const storedRequest = z.object({
  collections: z.array(z.string()),
  model: z.string().optional(),
  maxTokens: z.number().optional(),
  /** The agent that answered. It can differ from the conversation's agent. */
  agentId: z.string().optional(),
});

export type StoredRequest = Readonly<z.infer<typeof storedRequest>>;
