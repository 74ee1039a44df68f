import type { Agent as AgentMessage } from '@lectern/contracts';
import { digestOf } from '@lectern/service-kit';
import type { Agent } from '#gen/prisma/client';

/** The revision of the fields that an update can change. */
export function agentRevision(agent: Agent): string {
  const { name, description, systemPrompt, tools, collectionIds, startMessage, memory } = agent;
  return digestOf([name, description, systemPrompt, tools, collectionIds, startMessage, memory]);
}

/** Converts an agent's row to its contract form. */
export function toAgent(row: Agent): AgentMessage {
  const { description, startMessage, teamId: _team, keyId: _key, ...agent } = row;
  return {
    ...agent,
    description: description ?? undefined,
    startMessage: startMessage ?? undefined,
    revision: agentRevision(row),
  };
}
