import type { DocumentHit, PassageHit } from '@lectern/vector-store';
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
    passages: oncePerChunk(passages).map(({ chunk: _chunk, ...passage }) => passage),
    updatedAt: new Date(payload.updatedAt),
  };
}

/** While a document is indexed anew, passages of its old and new version stand side by side for a moment: the better one is shown. */
function oncePerChunk(passages: readonly PassageHit[]): PassageHit[] {
  const shown = new Set<number>();
  return passages.filter(({ chunk }) => !shown.has(chunk) && shown.add(chunk));
}
