import type { CreateFromTemplateRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { createAgent } from '#handlers/create-agent';
import { findTemplate } from '#handlers/to-template';
import { fillTemplate } from '#templates/fill-template';

/** Creates an agent from a template with values for its variables. */
export const createFromTemplate = (context: Context) => {
  const create = createAgent(context);
  return async ({ id, templateId, name, collectionIds, variables }: CreateFromTemplateRequest, call: ServiceCall) => {
    const template = findTemplate(context, templateId);
    const texts = fillTemplate(template, variables);
    const { description, tools } = template;
    const fields = { id, name: name ?? template.name, description, tools, collectionIds, memory: undefined };
    return create({ ...fields, ...texts }, call);
  };
};
