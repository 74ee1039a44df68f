import { z } from 'zod';
import type { QdrantConnection } from '#connection/qdrant-connection';
import { REQUESTS } from '#connection/requests';
import { VECTORS } from '#layout/collection-layout';
import { equals, ScopedFilter } from '#scope/scoped-filter';
import type { DocumentCandidate } from '#search/fuse';
import type { HybridSearch } from '#search/search-request';

const similarPoint = z.object({ id: z.string(), score: z.number() });

/**
 * Ranks the first documents again: a document that is similar to the best ones moves up, by its best
 * passage. It depends only on the ranking, so all pages of a query have the same order, and it reads
 * no vectors: the vector store compares the points. The similarity is scaled to 0–1 among these
 * documents; the best ones, which it is measured from, have 1.
 */
export async function applyFeedback(
  connection: QdrantConnection,
  collection: string,
  request: HybridSearch,
  documents: readonly DocumentCandidate[],
): Promise<readonly DocumentCandidate[]> {
  const { feedback, signal } = request;
  const space = onlySpace(request);
  if (feedback === undefined || space === undefined || documents.length <= feedback.examples) return documents;
  const points = documents.slice(0, feedback.documents).map(({ point }) => point);
  const examples = points.slice(0, feedback.examples);
  const query = {
    query: { recommend: { positive: examples, strategy: 'average_vector' as const } },
    using: VECTORS.dense,
    filter: ScopedFilter.within(request).and({ has_id: points }, equals('space', space)).toQdrant(),
    limit: points.length,
    params: { exact: true },
    with_payload: false,
  };
  // Qdrant reports 404 too if one of the examples was deleted in the meantime.
  const found = await connection.read('feedback', REQUESTS.query(collection, query), {
    signal,
    ifMissing: () => undefined,
  });
  if (found === undefined) return documents;
  return rankAgain(documents, scaled(z.array(similarPoint).parse(found.points), examples), feedback.weight);
}

/** Returns the space that all passages are in, or undefined if there are several or none. */
function onlySpace({ dense }: HybridSearch): string | undefined {
  if (dense instanceof Float32Array || dense.length !== 1) return undefined;
  return dense[0]?.space;
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
  weight: number,
): DocumentCandidate[] {
  const best = documents[0]?.score ?? 0;
  return documents
    .map((document) => {
      const similar = similarity.get(document.point) ?? 0;
      return { ...document, score: (1 - weight) * document.score + weight * best * similar };
    })
    .sort((a, b) => b.score - a.score);
}
