import type { DocumentHit, PassageHit } from '@lectern/vector-store';
import type { Reranker } from '#rerank/create-reranker';

/** A document with what the reranker gives its best passage. */
export interface RerankedHit extends DocumentHit {
  readonly scores: DocumentHit['scores'] & { readonly rerank?: number };
}

/** Passages of a document that are looked at; with 50 documents at most 100 passages. */
export const PASSAGES_A_DOCUMENT = 2;
/** Characters of a passage that are looked at. */
const MAX_LENGTH = 4_000;

/**
 * The same documents in the reranker's order; a document is worth what its best passage is, and shows that one first. `score` belongs to the place,
 * not to the document: the first has the highest of all as before. So `minScore`, totals and whatever follows mean the same with and without.
 */
export async function rerankHits(
  reranker: Reranker,
  query: string,
  hits: readonly DocumentHit[],
  signal: AbortSignal,
): Promise<RerankedHit[]> {
  const texts = hits.flatMap(({ payload, passages }) =>
    passages
      .slice(0, PASSAGES_A_DOCUMENT)
      .map(({ heading, text }) => [payload.title, heading, text].filter(Boolean).join('\n').slice(0, MAX_LENGTH)),
  );
  if (texts.length === 0) return [...hits];
  const scores = [...(await reranker.score(query, texts, signal))];
  const judged = hits.map((hit) =>
    withBestFirst(hit, scores.splice(0, Math.min(PASSAGES_A_DOCUMENT, hit.passages.length))),
  );
  return inOrderOf(judged, ({ scores: { rerank = 0 } }) => rerank);
}

function withBestFirst(hit: DocumentHit, scores: readonly number[]): RerankedHit {
  const judged = hit.passages.slice(0, scores.length);
  const worth = new Map(judged.map((passage, at) => [passage.chunk, scores[at] ?? 0]));
  const passages = inOrderOf(judged, ({ chunk }) => worth.get(chunk) ?? 0);
  const [best] = passages;
  if (best === undefined) return hit;
  return {
    ...hit,
    scores: { ...hit.scores, rerank: Math.max(...scores) },
    passages: [...passages, ...hit.passages.slice(scores.length)],
    payload: { ...hit.payload, ...placeOf(best) },
  };
}

/** Best first, equals as they stood; each takes over the score of its new place. */
function inOrderOf<T extends { readonly score: number }>(items: readonly T[], worth: (item: T) => number): T[] {
  const ordered = items.toSorted((a, b) => worth(b) - worth(a));
  return ordered.map((item, at) => ({ ...item, score: items[at]?.score ?? item.score }));
}

function placeOf({ chunk, heading, text, start, end }: PassageHit) {
  return { chunk, heading, text, start, end };
}
