import type { Template } from '@lectern/contracts';
import { z } from 'zod';
import { TOOLS } from '#operations/agents/fields';

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

export const templateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    category: z.string(),
    systemPrompt: z.string().meta({ description: '`{{name}}` stands where the value of a variable goes' }),
    tools: z.array(z.enum(TOOLS)),
    startMessage: z.string(),
    variables: z.array(
      z.object({ name: z.string(), description: z.string(), required: z.boolean(), default: z.string().nullable() }),
    ),
  })
  .meta({
    id: 'AgentTemplate',
    description: 'A blueprint of agents',
    examples: [
      {
        id: 'tpl_support-agent',
        name: 'Support agent',
        description: 'Answers customers from help articles.',
        category: 'support',
        systemPrompt: 'You answer questions of the users of {{product}}.',
        tools: ['search_documents'],
        startMessage: 'Hi! What can I help you with in {{product}}?',
        variables: [
          { name: 'product', description: 'The product that users ask about.', required: true, default: null },
        ],
      },
    ],
  });
