import type { Schemas } from '@qdrant/js-client-rest';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import type { Leg } from '#search/legs';
import type { FoundPassage } from '#search/search-request';

/** The passages that one leg found, best first. */
export interface Ranking<Name extends string = Leg['name']> {
  readonly name: Name;
  /** The space that the leg is limited to. */
  readonly space: string | undefined;
  readonly passages: readonly FoundPassage[];
  /** Whether there can be more passages than `limit`. */
  readonly isCutOff: boolean;
}

/** A search of a batch. */
export interface BatchLeg<Name extends string> extends Omit<Leg, 'name'> {
  readonly name: Name;
  readonly limit: number;
}

/** Runs all legs in one request. Each returns its `limit` best passages without their text. */
export async function runLegs<Name extends string>(
  connection: QdrantConnection,
  collection: string,
  { legs, signal }: { readonly legs: readonly BatchLeg<Name>[] } & CallOptions,
): Promise<Ranking<Name>[]> {
  const searches = legs.map(({ query, filter, limit }) => ({ ...query, filter, limit, with_payload: ['document'] }));
  const responses = await connection.read('query batch', REQUESTS.queryBatch(collection, searches), {
    signal,
    ifMissing: () => [],
  });
  return legs.map(({ name, space, limit }, at) => {
    const passages = (responses[at]?.points ?? []).map(toPassage);
    return { name, space, passages, isCutOff: passages.length >= limit };
  });
}

/** Checked by hand, because a search finds hundreds of points. */
function toPassage({ id, score, payload }: Schemas['ScoredPoint']): FoundPassage {
  const document = payload?.document;
  if (typeof id !== 'string' || typeof score !== 'number' || typeof document !== 'string') {
    throw new Error(`Qdrant returned the point ${id} without a score or a document.`);
  }
  return { id, document, score };
}
