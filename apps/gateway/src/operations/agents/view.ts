import type { Agent } from '@lectern/contracts';
import { time } from '#http/time';

/** An agent as lists and its creation show it: without its instructions. */
export function agentItem(agent: Agent) {
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description ?? null,
    tools: agent.tools,
    collections: agent.collectionIds,
    startMessage: agent.startMessage ?? null,
    memory: agent.memory,
    createdAt: time(agent.createdAt),
    updatedAt: time(agent.updatedAt),
  };
}

/** The whole record. */
export function agentRecord(agent: Agent) {
  return { ...agentItem(agent), systemPrompt: agent.systemPrompt };
}
