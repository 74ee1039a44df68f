import type { UpdateCollectionRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { toCollectionRecord } from '#collections/collection-record';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';

/** Changes a collection's name or description; what is left out stays. */
export const updateCollection = (context: Context) => async (request: UpdateCollectionRequest, call: ServiceCall) => {
  const { id } = await findCollection(context, call.caller, request.id);
  const row = await context.db.collection.update({
    where: { id },
    data: {
      ...(request.name === undefined ? {} : { name: request.name }),
      ...(request.description === undefined ? {} : { description: request.description || null }),
    },
  });
  return toCollectionRecord(context, call.caller, row);
};
