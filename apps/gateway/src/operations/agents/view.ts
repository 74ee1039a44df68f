import type { Agent } from '@lectern/contracts';
import { z } from 'zod';
import { timestamp } from '#http/answer-schema';
import { time } from '#http/time';
import { MEMORY_MODES, TOOLS } from '#operations/agents/fields';

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

const item = {
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  tools: z.array(z.enum(TOOLS)),
  collections: z.array(z.string()).meta({
    description: 'The collections that the agent may search. Deleted collections stay in the list; runs ignore them',
  }),
  startMessage: z.string().nullable(),
  memory: z.enum(MEMORY_MODES).meta({ description: 'What it does with its memories' }),
  createdAt: timestamp,
  updatedAt: timestamp,
};
const EXAMPLE = {
  id: 'agt_01h455vb4pex5vsknk084sn02q',
  name: 'Helper',
  description: null,
  tools: ['search_documents'],
  collections: ['col_01h455vb4pex5vsknk084sn02q'],
  startMessage: 'What would you like to know?',
  memory: 'recall',
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
};

export const agentItemSchema = z.object(item).meta({
  id: 'AgentItem',
  description: 'An agent as lists and its creation show it',
  examples: [EXAMPLE],
});

export const agentRecordSchema = z.object({ ...item, systemPrompt: z.string() }).meta({
  id: 'Agent',
  description: 'An assistant with instructions, tools and collections of its own',
  examples: [{ ...EXAMPLE, systemPrompt: 'You help with questions about leave.' }],
});
