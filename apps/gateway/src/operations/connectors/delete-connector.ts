import { onBehalfOf } from '@lectern/service-kit';
import { z } from 'zod';
import { data } from '#http/answer';
import { answers, deletedRecord } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { booleanText } from '#http/fields';
import { defineOperation } from '#http/operation';
import { idParams } from '#http/path-params';

export const deleteConnector = defineOperation({
  id: 'deleteConnector',
  method: 'delete',
  path: '/api/v1/connectors/{id}',
  summary: 'Delete a connector and, unless they are to be kept, its documents',
  access: 'secret',
  versioned: true,
  params: idParams('connector'),
  query: z.object({ keepDocuments: booleanText.optional() }),
  body: noBody,
  success: 200,
  answer: answers(deletedRecord),
  handle: async (ctx, { params, query }, call) => {
    const request = { ...params, keepDocuments: query.keepDocuments ?? false, precondition: call.ifMatch };
    const { id } = await ctx.clients.connectors.deleteConnector(request, onBehalfOf(call));
    return data({ id, deleted: true });
  },
});
