import type { GetCollectionRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { toCollectionRecord } from '#collections/collection-record';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';

/** Returns a collection with its counts. */
export const getCollection = (context: Context) => async (request: GetCollectionRequest, call: ServiceCall) =>
  toCollectionRecord(context, call.caller, await findCollection(context, call.caller, request.id));
