import type { ListCollectionsRequest } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { toCollectionRecords } from '#collections/collection-record';
import { reachableCollections } from '#collections/find-collection';
import type { Context } from '#context';
import { pageInfo, pageWindow } from '#handlers/page';

/** The caller's collections, newest first. */
export const listCollections = (context: Context) => async (request: ListCollectionsRequest, call: ServiceCall) => {
  const window = pageWindow(request.page);
  const where = reachableCollections(call.caller);
  const [rows, total] = await Promise.all([
    context.db.collection.findMany({ where, orderBy: { id: 'desc' }, skip: window.skip, take: window.take }),
    context.db.collection.count({ where }),
  ]);
  return { collections: await toCollectionRecords(context, rows), page: pageInfo(window, total) };
};
