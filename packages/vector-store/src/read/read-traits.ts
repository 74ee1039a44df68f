import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { documentFilterOf } from '#read/scoped-request';
import type { Scope } from '#scope/scoped-filter';

export interface TraitsRequest extends Scope, CallOptions {
  /** At most a few thousand. */
  readonly documents: readonly string[];
}

/** What a ranking can use of a whole document. */
export interface DocumentTraits {
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** Undefined for a document without words, or not yet analyzed by the current rules. */
  readonly sketch?: string | undefined;
}

const storedPoint = z.object({
  payload: z.object({
    document: z.string(),
    version: z.int(),
    updatedAt: z.string().transform((text) => Date.parse(text)),
    sketch: z.string().optional(),
  }),
});
const FIELDS = Object.keys(storedPoint.shape.payload.shape);

/** While two versions of a document are stored, each has a first passage. */
const VERSIONS = 2;

/** Reads the traits of documents within a scope, of the newest stored version. */
export async function readTraits(
  connection: QdrantConnection,
  collection: string,
  { documents, ...scope }: TraitsRequest,
): Promise<ReadonlyMap<string, DocumentTraits>> {
  const filter = documentFilterOf({ ...scope, only: documents });
  if (filter.matchesNothing) return new Map();
  const page = {
    filter: filter.toQdrant(),
    limit: documents.length * VERSIONS,
    with_payload: FIELDS,
    with_vector: false,
  };
  const { points } = await connection.read('scroll', REQUESTS.scroll(collection, page), {
    signal: scope.signal,
    ifMissing: () => ({ points: [] }),
  });
  const stored = z
    .array(storedPoint)
    .parse(points)
    .map(({ payload }) => payload);
  stored.sort((a, b) => a.version - b.version);
  return new Map(stored.map(({ document, updatedAt, sketch }) => [document, { updatedAt, sketch }]));
}
