import type { GetTemplateRequest } from '@lectern/contracts';
import type { Context } from '#context';
import { findTemplate, toTemplate } from '#handlers/to-template';

/** Returns a template. */
export const getTemplate =
  (context: Context) =>
  async ({ id }: GetTemplateRequest) =>
    toTemplate(findTemplate(context, id));
