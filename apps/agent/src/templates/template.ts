import { AGENT_TOOLS } from '@lectern/contracts';
import { z } from 'zod';
import { AGENT_LIMITS } from '#agents/limits';

/** A placeholder in a template's texts: `{{name}}`. */
export const PLACEHOLDER = /\{\{([a-z][a-zA-Z0-9]*)\}\}/g;

const variable = z.strictObject({
  name: z.string().regex(/^[a-z][a-zA-Z0-9]{0,39}$/),
  description: z.string().min(1).max(300),
  required: z.boolean(),
  default: z.string().min(1).max(300).optional(),
});

/** A file of `apps/agent/templates`. The paragraphs of `systemPrompt` are joined by blank lines. */
export const templateFile = z
  .strictObject({
    id: z.string().regex(/^tpl_[a-z][a-z0-9-]{0,59}$/),
    name: z.string().min(1).max(AGENT_LIMITS.name),
    description: z.string().min(1).max(AGENT_LIMITS.description),
    category: z.string().regex(/^[a-z]+$/),
    systemPrompt: z.array(z.string().min(1)).min(1),
    tools: z.array(z.enum(AGENT_TOOLS)),
    startMessage: z.string().min(1).max(AGENT_LIMITS.startMessage),
    variables: z.array(variable),
  })
  .transform((file) => ({ ...file, systemPrompt: file.systemPrompt.join('\n\n') }))
  .superRefine(({ systemPrompt, startMessage, variables }, context) => {
    const problem = (message: string) => context.addIssue({ code: 'custom', message });
    const used = new Set([...`${systemPrompt}${startMessage}`.matchAll(PLACEHOLDER)].map(([, name]) => name));
    const declared = new Set(variables.map(({ name }) => name));
    for (const name of used) if (!declared.has(name ?? '')) problem(`{{${name}}} is not a declared variable`);
    for (const { name, required, default: usual } of variables) {
      if (!used.has(name)) problem(`the variable ${name} is not used`);
      if (required === (usual !== undefined)) problem(`the variable ${name} must be required or have a default`);
    }
    if (declared.size !== variables.length) problem('two variables have the same name');
  });

/** A template for agents. */
export type Template = z.output<typeof templateFile>;
