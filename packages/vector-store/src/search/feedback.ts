import type { Schemas } from '@qdrant/js-client-rest';
import { z } from 'zod';
import { anyPoint, equals } from '#filter/conditions';
import { VECTORS } from '#layout/collection-layout';
import { ScopedFilter } from '#scope/scoped-filter';
import type { DocumentCandidate } from '#search/fuse';
import type { Feedback, RankRequest } from '#search/search-request';

const similarPoints = z.array(z.object({ id: z.string(), score: z.number() }));

/** The feedback of one search. */
export interface FeedbackSearch {
  /** Compares the first documents with the best ones. */
  readonly query: Schemas['QueryRequest'];
  /** Ranks the documents again by the response to `query`. */
  rankAgain(response: Schemas['QueryResponse'] | undefined): readonly DocumentCandidate[];
}

/**
 * Returns the feedback of a search, if it has one: a document that is similar to the best ones moves
 * up, by its best passage. It depends only on the ranking, so all pages of a query have the same
 * order, and it reads no vectors: the vector store compares the points. The similarity is scaled to
 * 0–1 among these documents; the best ones, which it is measured from, have 1.
 */
export function feedbackOf(request: RankRequest, documents: readonly DocumentCandidate[]): FeedbackSearch | undefined {
  if (request.mode !== 'hybrid') return undefined;
  const { feedback, dense } = request;
  const space = dense instanceof Float32Array || dense.length !== 1 ? undefined : dense[0]?.space;
  if (feedback === undefined || space === undefined || documents.length <= feedback.examples) return undefined;
  const points = documents.slice(0, feedback.documents).map(({ point }) => point);
  const examples = points.slice(0, feedback.examples);
  return {
    query: {
      query: { recommend: { positive: examples, strategy: 'average_vector' } },
      using: VECTORS.dense,
      filter: ScopedFilter.within(request).and(anyPoint(points), equals('space', space)).toQdrant(),
      limit: points.length,
      params: { exact: true },
      with_payload: false,
    },
    rankAgain: (response) =>
      rankAgain(documents, scaled(similarPoints.parse(response?.points ?? []), examples), feedback),
  };
}

/** Scales the similarities to 0–1. The store leaves out the examples. */
function scaled(
  found: readonly { readonly id: string; readonly score: number }[],
  examples: readonly string[],
): ReadonlyMap<string, number> {
  const highest = found.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY);
  const lowest = found.reduce((least, { score }) => Math.min(least, score), Number.POSITIVE_INFINITY);
  const range = highest - lowest || 1;
  return new Map([
    ...found.map(({ id, score }): [string, number] => [id, (score - lowest) / range]),
    ...examples.map((id): [string, number] => [id, 1]),
  ]);
}

/** The sort is stable: equal scores keep their order. */
function rankAgain(
  documents: readonly DocumentCandidate[],
  similarity: ReadonlyMap<string, number>,
  { weight }: Feedback,
): DocumentCandidate[] {
  const best = documents[0]?.score ?? 0;
  return documents
    .map((document) => {
      const similar = similarity.get(document.point) ?? 0;
      return { ...document, score: (1 - weight) * document.score + weight * best * similar };
    })
    .sort((a, b) => b.score - a.score);
}
