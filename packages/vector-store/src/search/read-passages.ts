import { z } from 'zod';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { UNREAD_FIELDS } from '#layout/collection-layout';
import { type PassagePayload, passagePayload } from '#layout/passage';
import type { ScopedFilter } from '#scope/scoped-filter';
import type { Leg } from '#search/legs';
import type { LegScores } from '#search/search-request';

/** A passage with what each leg gives it. */
export interface ScoredPassage {
  readonly payload: PassagePayload;
  readonly scores: LegScores;
}

const scoredPoint = z.object({ id: z.string(), score: z.number(), payload: passagePayload.nullish() });

/**
 * Reads the passages to be shown, with each leg's score, in one request: every leg is asked once more, about these points alone. Text is asked of
 * the last leg: the dense one, where there is one, scores every point. Passages deleted in the meantime are missing from the answer.
 */
export async function readPassages(
  connection: QdrantConnection,
  collection: string,
  { legs, filter, ids, signal }: { legs: readonly Leg[]; filter: ScopedFilter; ids: readonly string[] } & CallOptions,
): Promise<ReadonlyMap<string, ScoredPassage>> {
  if (ids.length === 0) return new Map();
  const narrow = { filter: filter.and({ has_id: [...ids] }).toQdrant(), limit: ids.length };
  const searches = legs.map((leg, at) => ({
    ...leg.query,
    ...narrow,
    with_payload: at === legs.length - 1 && { exclude: UNREAD_FIELDS },
  }));
  const answers = await connection.read(
    'query batch',
    (api, init) => api.queryBatchPoints({ collection_name: collection, searches }, init),
    { signal, ifMissing: () => [] },
  );
  const scores = new Map<string, Record<string, number>>();
  const payloads = new Map<string, PassagePayload>();
  for (const [at, { points }] of answers.entries()) {
    const leg = legs[at];
    for (const { id, score, payload } of z.array(scoredPoint).parse(points)) {
      if (leg) scores.set(id, { ...scores.get(id), [leg.name]: score });
      if (payload) payloads.set(id, payload);
    }
  }
  return new Map([...payloads].map(([id, payload]) => [id, { payload, scores: scores.get(id) ?? {} }]));
}
