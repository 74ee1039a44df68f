import type { ListCollectionsRequest } from '@lectern/contracts';
import { pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { toCollectionRecords } from '#collections/collection-record';
import { collectionsInScope } from '#collections/find-collection';
import type { Context } from '#context';

/** Lists the caller's collections, newest first. */
export const listCollections = (context: Context) => async (request: ListCollectionsRequest, call: ServiceCall) => {
  const page = readPage(request.page);
  const where = collectionsInScope(call.caller);
  const [rows, total] = await Promise.all([
    context.db.collection.findMany({ where, orderBy: { id: 'desc' }, skip: page.skip, take: page.take }),
    context.db.collection.count({ where }),
  ]);
  return { collections: await toCollectionRecords(context, call.caller, rows), page: pageInfo(page, total) };
};
