import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import type { ScopedFilter } from '#scope/scoped-filter';
import type { Leg } from '#search/legs';
import { bestFusedScore, RRF_K } from '#search/rank-fusion';

/** A passage that the search found, not yet read. */
export interface Candidate {
  readonly id: string;
  readonly document: string;
  readonly score: number;
}

const candidatePoint = z.object({
  id: z.string(),
  score: z.number(),
  payload: z.object({ document: z.string() }),
});

/** Runs the legs, fused by Qdrant where there are two: best first, at most `limit` passages a leg, without their text. */
export async function findCandidates(
  connection: QdrantConnection,
  collection: string,
  { legs, filter, limit, signal }: { legs: readonly Leg[]; filter: ScopedFilter; limit: number } & CallOptions,
): Promise<Candidate[]> {
  const [only] = legs;
  if (!only) return [];
  const fused = legs.length > 1;
  const narrow = { filter: filter.toQdrant(), limit };
  const query = fused
    ? {
        prefetch: legs.map((leg) => ({ ...leg.query, ...narrow })),
        query: { rrf: { k: RRF_K, weights: legs.map(({ weight }) => weight) } },
        limit: limit * legs.length,
      }
    : { ...only.query, ...narrow };
  const { points } = await connection.read(
    'query',
    (api, init) => api.queryPoints({ collection_name: collection, ...query, with_payload: ['document'] }, init),
    { signal, ifMissing: () => ({ points: [] }) },
  );
  const scale = fused ? 1 / bestFusedScore(legs) : 1;
  return z
    .array(candidatePoint)
    .parse(points)
    .map(({ id, score, payload }) => ({ id, document: payload.document, score: score * scale }));
}
