import type { SearchResult } from '@lectern/contracts';
import { time } from '#http/time';

/** A document that a search found, with its best passages. */
export function searchResult(result: SearchResult) {
  return {
    documentId: result.documentId,
    title: result.title,
    excerpt: result.excerpt,
    highlights: result.highlights.map(({ start, end }) => ({ start, end })),
    url: result.url ?? null,
    score: result.score,
    scores: {
      keyword: result.scores?.keyword ?? null,
      semantic: result.scores?.semantic ?? null,
      rerank: result.scores?.rerank ?? null,
    },
    collection: result.collectionId,
    collectionName: result.collectionName,
    source: result.source,
    metadata: result.metadata ?? {},
    passages: result.passages.map(({ text, heading, start, end, score }) => ({ text, heading, start, end, score })),
    updatedAt: time(result.updatedAt),
  };
}
