import { z } from 'zod';
import type { QdrantConnection } from '#connection/qdrant-connection';
import { UNREAD_FIELDS } from '#layout/collection-layout';
import { type PassagePayload, passagePayload } from '#layout/passage';
import { type DocumentsRequest, documentFilterOf } from '#read/scoped-request';

export interface BrowseRequest extends DocumentsRequest {
  readonly limit: number;
  readonly offset: number;
  /** Which end comes first; `newest` without it. */
  readonly order?: 'newest' | 'oldest' | undefined;
  /** The date to order by; `updatedAt` without it. */
  readonly by?: 'updatedAt' | 'createdAt' | undefined;
}

const browsedPoint = z.object({ payload: passagePayload });

/** Documents in order of their date, each by its first passage. Equal dates are ordered by point id, so pages never overlap. */
export async function browse(
  connection: QdrantConnection,
  collection: string,
  request: BrowseRequest,
): Promise<PassagePayload[]> {
  const { limit, offset, order = 'newest', by = 'updatedAt', signal } = request;
  const filter = documentFilterOf(request);
  if (filter.reachesNothing || limit <= 0) return [];
  const query = {
    filter: filter.toQdrant(),
    query: { order_by: { key: by, direction: order === 'newest' ? ('desc' as const) : ('asc' as const) } },
    limit,
    offset,
    with_payload: { exclude: UNREAD_FIELDS },
  };
  const { points } = await connection.read(
    'query',
    (api, init) => api.queryPoints({ collection_name: collection, ...query }, init),
    { signal, ifMissing: () => ({ points: [] }) },
  );
  return z
    .array(browsedPoint)
    .parse(points)
    .map(({ payload }) => payload);
}
