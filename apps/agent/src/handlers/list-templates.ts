import type { ListTemplatesRequest } from '@lectern/contracts';
import { pageInfo, readPage } from '@lectern/service-kit';
import type { Context } from '#context';
import { toTemplate } from '#handlers/to-template';

/** Lists the templates by name. */
export const listTemplates =
  ({ templates }: Context) =>
  async (request: ListTemplatesRequest) => {
    const page = readPage(request.page);
    const shown = templates.slice(page.skip, page.skip + page.take);
    return { templates: shown.map(toTemplate), page: pageInfo(page, templates.length) };
  };
