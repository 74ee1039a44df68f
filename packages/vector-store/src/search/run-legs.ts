import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import type { Leg } from '#search/legs';

/** A passage that a leg found, identified by its id. */
export interface FoundPassage {
  readonly id: string;
  readonly document: string;
  readonly score: number;
}

/** The passages that one leg found, best first. */
export interface Ranking {
  readonly name: Leg['name'];
  readonly passages: readonly FoundPassage[];
  /** Whether there can be more passages than `limit`. */
  readonly isCutOff: boolean;
}

const foundPoint = z.object({ id: z.string(), score: z.number(), payload: z.object({ document: z.string() }) });

/** Runs all legs in one request. Each returns its `limit` best passages without their text. */
export async function runLegs(
  connection: QdrantConnection,
  collection: string,
  { legs, limit, signal }: { readonly legs: readonly Leg[]; readonly limit: number } & CallOptions,
): Promise<Ranking[]> {
  const searches = legs.map(({ query, filter }) => ({ ...query, filter, limit, with_payload: ['document'] }));
  const responses = await connection.read('query batch', REQUESTS.queryBatch(collection, searches), {
    signal,
    ifMissing: () => [],
  });
  return legs.map(({ name }, at) => {
    const passages = z.array(foundPoint).parse(responses[at]?.points ?? []);
    return {
      name,
      passages: passages.map(({ id, score, payload }) => ({ id, document: payload.document, score })),
      isCutOff: passages.length >= limit,
    };
  });
}
