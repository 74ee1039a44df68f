import { z } from 'zod';
import type { QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { documentFilterOf, type ScopedRequest } from '#read/scoped-request';

/** One version of a document that has passages in the store. */
export interface StoredVersion {
  readonly document: string;
  readonly version: number;
  readonly collection: string;
}

const PAGE_SIZE = 500;

const FIELDS = ['document', 'version', 'collection'];

const storedVersion = z.object({ document: z.string(), version: z.int(), collection: z.string() });

/**
 * Iterates over every stored (document, version) once, in no particular order. Concurrent writes
 * and deletions may be seen or not.
 */
export async function* scrollDocuments(
  connection: QdrantConnection,
  collection: string,
  request: ScopedRequest,
): AsyncGenerator<StoredVersion, void, undefined> {
  const scoped = documentFilterOf(request);
  if (scoped.matchesNothing) return;
  const filter = scoped.toQdrant();
  let offset: string | number | undefined;
  do {
    const from = offset === undefined ? {} : { offset };
    const page = {
      filter,
      limit: PAGE_SIZE,
      with_payload: FIELDS,
      with_vector: false,
      ...from,
    };
    const { points, next_page_offset } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
      signal: request.signal,
      ifMissing: () => ({ points: [], next_page_offset: null }),
    });
    for (const { payload } of points) yield storedVersion.parse(payload);
    offset = z.union([z.string(), z.number()]).nullish().parse(next_page_offset) ?? undefined;
  } while (offset !== undefined);
}
