import { queryWords } from '@lectern/embeddings';
import type { DocumentHit } from '@lectern/vector-store';
import { SEARCH_LIMITS } from '#limits';
import { documentsOf, type ModelMatch } from '#match/model-match';
import type { Pin } from '#rules/curation';
import { eachDocumentOnce } from '#search/each-document-once';
import { firstPassageHit } from '#search/list-by-date';
import { scopesByModel } from '#search/search-documents';
import type { FoundHit, ModelScope, SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/** The pinned documents that a search shows. */
export interface PinnedDocuments {
  /** By position. */
  readonly pins: readonly (Pin & { readonly hit: FoundHit })[];
  /** The documents that facets count in addition to the other matches. */
  readonly matches: readonly ModelMatch[];
}

/**
 * Reads the pinned documents that the caller can read and that meet the filters, phrases and exclusions of the
 * query, each with the passages that contain its words.
 */
export async function readPins(
  deps: SearchDeps,
  query: SearchQuery,
  pins: readonly Pin[],
  signal: AbortSignal,
): Promise<PinnedDocuments> {
  const documents = pins.map(({ document }) => document);
  const matches = (await scopesByModel(deps, query, signal)).map((scope) => matchOf(scope, documents));
  const found = await Promise.all(matches.map((match) => readDocuments(deps, query, match, documents.length)));
  const hits = new Map(eachDocumentOnce(found.flat(), ({ document }) => document).map((hit) => [hit.document, hit]));
  const shown = pins.flatMap((pin) => {
    const hit = hits.get(pin.document);
    return hit === undefined ? [] : [{ ...pin, hit: { ...hit, score: 0, scores: {}, relevance: 0 } }];
  });
  return { pins: shown, matches };
}

function matchOf({ model, request, facetFilters }: ModelScope, documents: readonly string[]): ModelMatch {
  const within = request.only === undefined ? undefined : new Set(request.only);
  const only = within === undefined ? documents : documents.filter((document) => within.has(document));
  return { model, matched: { ...request, only }, facetFilters };
}

async function readDocuments(
  { store }: SearchDeps,
  { query: { analyzed }, passagesPerDocument }: SearchQuery,
  match: ModelMatch,
  limit: number,
): Promise<readonly DocumentHit[]> {
  const request = { ...documentsOf(match), offset: 0, limit };
  const [all, withWords] = await Promise.all([
    store.browse(match.model, request),
    store.search(match.model, {
      ...request,
      mode: 'keyword',
      sparse: queryWords(analyzed),
      passagesPerDocument,
      candidates: SEARCH_LIMITS.candidates,
    }),
  ]);
  const byDocument = new Map(withWords.hits.map((hit) => [hit.document, hit]));
  return all.map((payload) => byDocument.get(payload.document) ?? firstPassageHit(payload));
}
