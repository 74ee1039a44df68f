import { onBehalfOf } from '@lectern/service-kit';
import { data } from '#http/answer';
import { answers, deletedRecord } from '#http/answer-schema';
import { noBody } from '#http/body/body';
import { defineOperation, none } from '#http/operation';
import { idParams } from '#http/path-params';
import { dropCollectionFromScopes } from '#keys/pair-store';

export const deleteCollection = defineOperation({
  id: 'deleteCollection',
  method: 'delete',
  path: '/api/v1/collections/{id}',
  summary: 'Delete a collection with its documents and embeddings',
  access: 'secret',
  versioned: true,
  params: idParams('collection'),
  query: none,
  body: noBody,
  success: 200,
  answer: answers(deletedRecord),
  handle: async (ctx, { params }, call) => {
    const { id } = await ctx.clients.collections.deleteCollection(
      { ...params, precondition: call.ifMatch },
      onBehalfOf(call),
    );
    await dropCollectionFromScopes(ctx.db, call.caller.teamId, id);
    return data({ id, deleted: true });
  },
});
