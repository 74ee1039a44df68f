import type { Facet, SearchResult } from '@lectern/contracts';
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

/** The values of a field over all documents that match. */
export function searchFacet({ field, values, stats, exhaustive }: Facet) {
  return {
    field,
    values: values.map(({ value, count }) => ({ value, count })),
    ...(stats && { stats: withoutMissing(stats) }),
    exhaustive,
  };
}

/** Dates have neither an average nor a sum. */
function withoutMissing({ min, max, avg, sum, count }: NonNullable<Facet['stats']>) {
  return { min, max, ...(avg === undefined ? {} : { avg }), ...(sum === undefined ? {} : { sum }), count };
}
