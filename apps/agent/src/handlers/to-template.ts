import { notFound } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Template } from '#templates/template';

/** Returns the template with this id. Throws `not_found`. */
export function findTemplate({ templates }: Context, id: string): Template {
  const found = templates.find((template) => template.id === id);
  if (found === undefined) throw notFound('template', id);
  return found;
}

/** Converts a template to its contract form. */
export const toTemplate = (template: Template) => ({
  ...template,
  variables: template.variables.map((variable) => ({ ...variable, default: variable.default })),
});
