import type { Schemas } from '@qdrant/js-client-rest';
import type { CallOptions, QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { keyOf } from '#layout/point-id';
import type { Leg } from '#search/legs';
import type { FormerPoints, Places } from '#search/places';
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

interface LegsRequest<Name extends string> extends CallOptions {
  readonly team: string;
  readonly legs: readonly BatchLeg<Name>[];
}

interface FoundByLegs<Name extends string> {
  readonly rankings: readonly Ranking<Name>[];
  readonly places: Places;
}

/** Runs all legs in one request. Each returns the ids of its `limit` best passages. */
export async function runLegs<Name extends string>(
  connection: QdrantConnection,
  collection: string,
  { team, legs, signal }: LegsRequest<Name>,
  formerPoints: FormerPoints,
): Promise<FoundByLegs<Name>> {
  const searches = legs.map(({ query, filter, limit }) => ({ ...query, filter, limit, with_payload: false }));
  const responses = await connection.read('query batch', REQUESTS.queryBatch(collection, searches), {
    signal,
    ifMissing: () => [],
  });
  const found = legs.map((_leg, at) => (responses[at]?.points ?? []).map(toPoint));
  const former = new Set(found.flatMap((points) => points.flatMap(({ id }) => (keyOf(id) === undefined ? id : []))));
  const places = await formerPoints.placesOf(connection, collection, { team, ids: former, signal });
  const rankings = legs.map(({ name, space, limit }, at) => {
    const points = found[at] ?? [];
    // A point with a former id can be deleted before its place is read.
    const passages = points.flatMap(({ id, score }): FoundPassage | [] => {
      const key = places.keyOf(id);
      return key === undefined ? [] : { id, key, score };
    });
    return { name, space, passages, isCutOff: points.length >= limit };
  });
  return { rankings, places };
}

/** Checked by hand, because a search finds hundreds of points. */
function toPoint({ id, score }: Schemas['ScoredPoint']): { readonly id: string; readonly score: number } {
  if (typeof id !== 'string' || typeof score !== 'number') {
    throw new Error(`Qdrant returned the point ${id} without a score.`);
  }
  return { id, score };
}
