import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { equals } from '#filter/conditions';
import { VECTORS } from '#layout/collection-layout';
import type { SparseVector } from '#layout/passage';
import { ScopedFilter } from '#scope/scoped-filter';

export interface PassagesRequest extends CallOptions {
  readonly team: string;
  /** Only passages of this document, in all versions. */
  readonly document?: string | undefined;
  /** Leaves out passages whose vectors are in this space. */
  readonly outsideSpace?: string | undefined;
}

/** The parts of a passage that its embedding is computed from. */
export interface StoredPassage {
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly sparse: SparseVector;
}

/** Passages per request: about a megabyte. */
const PAGE_SIZE = 64;

const storedPoint = z.object({
  id: z.string(),
  payload: z.object({ title: z.string(), heading: z.string(), text: z.string() }),
  vector: z.object({ [VECTORS.sparse]: z.object({ indices: z.array(z.int()), values: z.array(z.number()) }) }),
});

/**
 * Iterates over a team's passages by id, page by page. Ids are hashes, so the first passages are a
 * random sample, the same one each time. Concurrent writes and deletions may be seen or not.
 */
export async function* scrollPassages(
  connection: QdrantConnection,
  collection: string,
  { team, document, outsideSpace, signal }: PassagesRequest,
): AsyncGenerator<readonly StoredPassage[], void, undefined> {
  const scope = ScopedFilter.within({ team });
  const outside = outsideSpace === undefined ? [] : [{ must_not: [equals('space', outsideSpace)] }];
  const within = document === undefined ? [] : [equals('document', document)];
  const filter = scope.and(...within, ...outside).toQdrant();
  let offset: string | number | undefined;
  do {
    const page = {
      filter,
      limit: PAGE_SIZE,
      with_payload: ['title', 'heading', 'text'],
      with_vector: [VECTORS.sparse],
      ...(offset === undefined ? {} : { offset }),
    };
    const { points, next_page_offset } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
      signal,
      ifMissing: () => ({ points: [], next_page_offset: null }),
    });
    if (points.length > 0) yield z.array(storedPoint).parse(points).map(toPassage);
    offset = z.union([z.string(), z.number()]).nullish().parse(next_page_offset) ?? undefined;
  } while (offset !== undefined);
}

function toPassage({ id, payload, vector }: z.infer<typeof storedPoint>): StoredPassage {
  return { id, ...payload, sparse: vector[VECTORS.sparse] };
}
