import type { ListDocumentsRequest } from '@lectern/contracts';
import { invalidRequest, pageInfo, readPage, type ServiceCall } from '@lectern/service-kit';
import { findCollection } from '#collections/find-collection';
import type { Context } from '#context';
import { fromContractStatus, LIVE_STATES } from '#document-status';
import { toDocumentRecord, WITH_COLLECTION } from '#documents/document-record';
import { readableBy } from '#groups/readable-by';

/** Lists the documents of a collection or of a connector, newest first. */
export const listDocuments = (context: Context) => async (request: ListDocumentsRequest, call: ServiceCall) => {
  const { collectionId, connectorId } = request;
  const { caller } = call;
  if (collectionId === undefined && connectorId === undefined) {
    throw invalidRequest([{ path: 'collectionId', message: 'a collection or a connector is required' }]);
  }
  if (collectionId !== undefined) await findCollection(context, caller, collectionId);
  const inScope = caller.scope.kind === 'all' ? {} : { in: [...caller.scope.ids] };
  const status = request.status === undefined ? undefined : fromContractStatus(request.status);
  const where = {
    teamId: caller.teamId,
    collectionId: { ...inScope, ...(collectionId === undefined ? {} : { equals: collectionId }) },
    ...(connectorId === undefined ? {} : { connectorId }),
    status: status ?? { in: LIVE_STATES },
    ...(await readableBy(context, caller)),
  };
  const page = readPage(request.page);
  const [rows, total] = await Promise.all([
    context.db.document.findMany({
      where,
      include: WITH_COLLECTION,
      orderBy: { id: 'desc' },
      skip: page.skip,
      take: page.take,
    }),
    context.db.document.count({ where }),
  ]);
  return { documents: rows.map((row) => toDocumentRecord(row, call.caller)), page: pageInfo(page, total) };
};
