import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import type { SparseVector } from '#layout/passage';
import { equals, ScopedFilter } from '#scope/scoped-filter';

export interface PassagesRequest extends CallOptions {
  readonly team: string;
  /** Only this document's, of every version. */
  readonly document?: string | undefined;
  /** Leaves out the passages whose vectors are in this space. */
  readonly outsideSpace?: string | undefined;
}

/** What a passage is embedded from. */
export interface StoredPassage {
  readonly id: string;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly sparse: SparseVector;
}

/** Passages read at once: about a megabyte. */
const PAGE_SIZE = 64;

const storedPoint = z.object({
  id: z.string(),
  payload: z.object({ title: z.string(), heading: z.string(), text: z.string() }),
  vector: z.object({ [VECTORS.sparse]: z.object({ indices: z.array(z.int()), values: z.array(z.number()) }) }),
});

/**
 * Walks a team's passages in order of their ids, a page at a time. Ids are hashes: the first passages of the walk are a random sample, and the same
 * one at every walk. What is written or deleted meanwhile may or may not be seen.
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
