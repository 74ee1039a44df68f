import type { search } from '@lectern/api-spec';
import { Collapse, type Facet, SearchMode, type SearchResult, Sort } from '@lectern/contracts';
import { time } from '#operations/convert';

/** A document that matches a search, with its best passages. */
export function searchResult(result: SearchResult) {
  return {
    documentId: result.documentId,
    title: result.title,
    excerpt: result.excerpt,
    highlights: result.highlights.map(({ start, end }) => ({ start, end })),
    url: result.url ?? null,
    score: result.score,
    relevance: result.relevance,
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
    duplicates: result.duplicates.map((duplicate) => ({
      documentId: duplicate.documentId,
      title: duplicate.title,
      url: duplicate.url ?? null,
      collection: duplicate.collectionId,
      collectionName: duplicate.collectionName,
      source: duplicate.source,
      updatedAt: time(duplicate.updatedAt),
    })),
    duplicateCount: result.duplicateCount,
    synonyms: result.synonyms.map(({ from, to }) => ({ from, to })),
    pinned: result.pinned,
  };
}

/** The values of a field over all matching documents. */
export function searchFacet({ field, values, stats, exhaustive }: Facet) {
  return {
    field,
    values: values.map(({ value, count }) => ({ value, count })),
    ...(stats && { stats: facetStats(stats) }),
    exhaustive,
  };
}

/** The statistics of a field. Times have no average and no sum. */
function facetStats({ min, max, avg, sum, count }: NonNullable<Facet['stats']>) {
  return { min, max, ...(avg === undefined ? {} : { avg }), ...(sum === undefined ? {} : { sum }), count };
}

const MODES = { hybrid: SearchMode.HYBRID, keyword: SearchMode.KEYWORD, semantic: SearchMode.SEMANTIC } as const;

const SORTS = { relevance: Sort.UNSPECIFIED, newest: Sort.NEWEST, oldest: Sort.OLDEST } as const;

/** The request to the search service. The rules of the team apply unless the caller switches them off. */
export function toSearchRequest({
  collections,
  mode,
  page,
  limit,
  collapse,
  recency,
  sort = 'relevance',
  rules = true,
  ...rest
}: Omit<search.SearchBody, 'rules' | 'sort'> & Partial<Pick<search.SearchBody, 'rules' | 'sort'>>) {
  return {
    ...rest,
    applyRules: rules,
    collectionIds: collections ?? [],
    mode: MODES[mode],
    page: { page, limit },
    collapse: collapse === undefined ? Collapse.UNSPECIFIED : Collapse.DUPLICATES,
    sort: SORTS[sort],
    recency: recency && { ...recency, now: recency.now === undefined ? undefined : new Date(recency.now) },
  };
}
