import type { Agent, Template } from '@lectern/contracts';
import { time } from '#operations/convert';

/** An agent in a list, without its instructions. */
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

/** An agent with its instructions. */
export function agentRecord(agent: Agent) {
  return { ...agentItem(agent), systemPrompt: agent.systemPrompt };
}

/** A template. */
export function templateRecord(template: Template) {
  const { id, name, description, category, systemPrompt, tools, startMessage, variables } = template;
  return {
    id,
    name,
    description,
    category,
    systemPrompt,
    tools,
    startMessage,
    variables: variables.map((variable) => ({
      name: variable.name,
      description: variable.description,
      required: variable.required,
      default: variable.default ?? null,
    })),
  };
}
