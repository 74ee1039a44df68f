import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { page } from '#http/answer';
import { answersPage } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation } from '#http/operation';
import { pageQuery } from '#http/paging';
import { idParams } from '#http/path-params';
import { sourceFile, sourceFileSchema } from '#operations/files/view';

export const listFiles = defineOperation({
  id: 'listFiles',
  method: 'get',
  path: '/api/v1/connectors/{id}/files',
  summary: 'List the source files of a connector',
  access: 'secret',
  params: idParams('connector'),
  query: pageQuery,
  body: noBody,
  success: 200,
  answer: answersPage(z.array(sourceFileSchema)),
  handle: async (ctx, { params, query }, call) => {
    const request = { connectorId: params.id, page: query };
    const answer = await ctx.clients.files.listFiles(request, onBehalfOf(call));
    return page(answer.files.map(sourceFile), answer.page);
  },
});
