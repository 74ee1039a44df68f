import type { DeleteCollectionRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { deleteCollection as deleteCollectionAndDocuments } from '#collections/delete-collection';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';

/** Deletes a collection with its documents and vectors. */
export const deleteCollection = (context: Context) => async (request: DeleteCollectionRequest, call: ServiceCall) => {
  const collection = await findCollection(context, call.caller, request.id);
  await deleteCollectionAndDocuments(context, collection, request.precondition);
  return { id: collection.id };
};
