/**
 * Maximum lengths of an agent's texts, in code points, and the maximum number of its collections
 * and tools.
 */
export const AGENT_LIMITS = {
  name: 200,
  description: 2_000,
  systemPrompt: 32_000,
  startMessage: 4_000,
  collections: 100,
  tools: 64,
} as const;
