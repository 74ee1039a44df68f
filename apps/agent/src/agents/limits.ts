/** Characters (code points) of an agent's texts, and how many collections it may name. */
export const AGENT_LIMITS = {
  name: 200,
  description: 2_000,
  systemPrompt: 32_000,
  startMessage: 4_000,
  collections: 100,
} as const;
