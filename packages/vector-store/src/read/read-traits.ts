import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { documentKey } from '#layout/point-id';
import { documentFilterOf } from '#read/scoped-request';
import type { Scope } from '#scope/scoped-filter';

export interface TraitsRequest extends Scope, CallOptions {
  /** The ids of first passages, at most a few thousand. */
  readonly first: readonly string[];
}

/** What a ranking can use of a whole document. */
export interface DocumentTraits {
  /** The document's id. */
  readonly document: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** Undefined for a document without words, or not yet analyzed by the current rules. */
  readonly sketch?: string | undefined;
}

const storedPoint = z.object({
  payload: z.object({
    document: z.string(),
    updatedAt: z.string().transform((text) => Date.parse(text)),
    sketch: z.string().optional(),
  }),
});
const FIELDS = Object.keys(storedPoint.shape.payload.shape);

/** Reads the traits of documents within a scope, by key. */
export async function readTraits(
  connection: QdrantConnection,
  collection: string,
  { first, ...scope }: TraitsRequest,
): Promise<ReadonlyMap<string, DocumentTraits>> {
  const filter = documentFilterOf({ ...scope, onlyFirst: first });
  if (filter.matchesNothing) return new Map();
  const page = {
    filter: filter.toQdrant(),
    limit: first.length,
    with_payload: FIELDS,
    with_vector: false,
  };
  const { points } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
    signal: scope.signal,
    ifMissing: () => ({ points: [] }),
  });
  return new Map(
    z
      .array(storedPoint)
      .parse(points)
      .map(({ payload }) => [documentKey(payload.document), payload]),
  );
}
