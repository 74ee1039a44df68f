import { DocumentStatus, type ListDocumentsRequest } from '@lectern/contracts';
import { z } from 'zod';
import { pageQuery } from '#http/paging';

const STATUSES = {
  pending: DocumentStatus.PENDING,
  processing: DocumentStatus.PROCESSING,
  indexed: DocumentStatus.INDEXED,
  failed: DocumentStatus.FAILED,
  deleted: DocumentStatus.DELETED,
} as const;

/** The query of a list of documents. */
export const documentListQuery = pageQuery.extend({
  status: z.enum(['pending', 'processing', 'indexed', 'failed', 'deleted']).optional(),
});

/** The part of a request that the query says. */
export function listRequest({
  status,
  ...page
}: z.output<typeof documentListQuery>): Pick<ListDocumentsRequest, 'page' | 'status'> {
  return { page, status: status === undefined ? undefined : STATUSES[status] };
}
