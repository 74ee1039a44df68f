import type { Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import type { QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { type PassagePayload, passagePayload, SHOWN_FIELDS } from '#layout/passage';
import { type DocumentsRequest, documentFilterOf } from '#read/scoped-request';

export interface BrowseRequest extends DocumentsRequest {
  readonly limit: number;
  readonly offset: number;
  /** Default `newest`. */
  readonly order?: 'newest' | 'oldest' | undefined;
  /** The date to order by. Default `updatedAt`. */
  readonly by?: 'updatedAt' | 'createdAt' | undefined;
}

/** A document with the date that it was ordered by. */
export interface DatedDocument {
  readonly document: string;
  /** Milliseconds since 1970. */
  readonly date: number;
}

const wholePoint = z.object({ payload: passagePayload });
const date = z.string().transform((text) => Date.parse(text));
const datedPoint = z.object({
  payload: z.object({ document: z.string(), updatedAt: date.optional(), createdAt: date.optional() }),
});

/**
 * Returns documents ordered by date, each by its first passage. Equal dates are ordered by point
 * id, so pages never overlap.
 */
export async function browse(
  connection: QdrantConnection,
  collection: string,
  request: BrowseRequest,
): Promise<PassagePayload[]> {
  const points = await queryByDate(connection, collection, request, SHOWN_FIELDS);
  return points.map((point) => wholePoint.parse(point).payload);
}

/** Returns the same documents as `browse`, with ids and dates only. */
export async function listByDate(
  connection: QdrantConnection,
  collection: string,
  request: BrowseRequest,
): Promise<DatedDocument[]> {
  const { by = 'updatedAt' } = request;
  const points = await queryByDate(connection, collection, request, ['document', by]);
  return points.map((point) => {
    const { payload } = datedPoint.parse(point);
    return { document: payload.document, date: payload[by] ?? 0 };
  });
}

async function queryByDate(
  connection: QdrantConnection,
  collection: string,
  request: BrowseRequest,
  fields: Schemas['WithPayloadInterface'],
): Promise<readonly unknown[]> {
  const { limit, offset, order = 'newest', by = 'updatedAt', signal } = request;
  const filter = documentFilterOf(request);
  if (filter.matchesNothing || limit <= 0) return [];
  const query = {
    filter: filter.toQdrant(),
    query: { order_by: { key: by, direction: order === 'newest' ? ('desc' as const) : ('asc' as const) } },
    limit,
    offset,
    with_payload: fields,
  };
  const { points } = await connection.read('query', REQUESTS.query(collection, query), {
    signal,
    ifMissing: () => ({ points: [] }),
  });
  return points;
}
