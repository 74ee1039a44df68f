import type { DocumentHit } from '@lectern/vector-store';
import { buildExcerpt } from '#excerpt/build-excerpt';

/** A found document as the contract shows it. `terms` are the query's, for the excerpt. */
export function toSearchResult(hit: DocumentHit, collectionName: string, terms: ReadonlySet<string>) {
  const { payload, passages } = hit;
  const excerpt = buildExcerpt(payload.text, terms);
  return {
    documentId: hit.document,
    title: payload.title,
    excerpt: excerpt.text,
    highlights: [...excerpt.highlights],
    url: payload.url,
    score: hit.score,
    scores: hit.scores,
    collectionId: payload.collection,
    collectionName,
    source: payload.source,
    metadata: payload.metadata,
    passages: passages.map(({ text, heading, start, end, score }) => ({ text, heading, start, end, score })),
    updatedAt: new Date(payload.updatedAt),
  };
}
