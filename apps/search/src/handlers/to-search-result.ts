import type { AnalyzedQuery } from '@lectern/text';
import type { PassageHit } from '@lectern/vector-store';
import { buildExcerpt } from '#excerpt/build-excerpt';
import type { FoundDocument } from '#search/search-documents';
import type { FoundHit } from '#search/search-model';
import { matchedSynonyms, synonymPairs } from '#synonyms/matched-synonyms';
import { textsOfHit } from '#words/hit-texts';

/**
 * Maps a hit to the contract. The excerpt highlights `terms`, the terms of the query, and those of
 * the query's synonyms that the hit contains.
 */
export function toSearchResult(
  hit: FoundHit & Pick<FoundDocument, 'isPinned'>,
  collectionName: string,
  terms: ReadonlySet<string>,
  { expansions = [] }: Pick<AnalyzedQuery, 'expansions'> = {},
) {
  const { payload, passages } = hit;
  const synonyms = expansions.length === 0 ? [] : matchedSynonyms(expansions, textsOfHit(hit));
  const shown = synonyms.length === 0 ? terms : new Set([...terms, ...synonyms.flatMap((synonym) => synonym.terms)]);
  const excerpt = buildExcerpt(payload, shown);
  return {
    documentId: hit.document,
    title: payload.title,
    excerpt: excerpt.text,
    highlights: [...excerpt.highlights],
    url: payload.url,
    score: hit.score,
    scores: hit.scores,
    relevance: hit.relevance,
    collectionId: payload.collection,
    collectionName,
    source: payload.source,
    metadata: payload.metadata,
    passages: oncePerChunk(passages).map(({ chunk: _chunk, language: _language, ...passage }) => passage),
    updatedAt: new Date(payload.updatedAt),
    synonyms: synonymPairs(synonyms),
    pinned: hit.isPinned === true,
  };
}

/**
 * Keeps the better version of each passage, because a search can find both while a document is
 * re-indexed.
 */
function oncePerChunk(passages: readonly PassageHit[]): PassageHit[] {
  const shown = new Set<number>();
  return passages.filter(({ chunk }) => !shown.has(chunk) && shown.add(chunk));
}
