import {
  Collapse,
  type PageRequest,
  type Recency as RecencyRequest,
  SearchMode,
  type SearchRequest,
  Sort,
} from '@lectern/contracts';
import { type Issue, invalidRequest } from '@lectern/service-kit';
import { readFacetFilters } from '#filters/read-facet-filters';
import { readFilters } from '#filters/read-filters';
import { SEARCH_LIMITS } from '#limits';
import { literally, MAX_OPERATORS, type QueryOperators, readOperators } from '#query/parse-query';
import { type Recency, startOfDay } from '#search/recency';
import type { SearchQuery } from '#search/search-query';

const MODES = {
  [SearchMode.UNSPECIFIED]: 'hybrid',
  [SearchMode.HYBRID]: 'hybrid',
  [SearchMode.KEYWORD]: 'keyword',
  [SearchMode.SEMANTIC]: 'semantic',
} as const;

const COLLAPSE = {
  [Collapse.UNSPECIFIED]: undefined,
  [Collapse.DUPLICATES]: 'duplicates',
  [Collapse.UNRECOGNIZED]: null,
} as const;

const SORT = {
  [Sort.UNSPECIFIED]: undefined,
  [Sort.NEWEST]: 'newest',
  [Sort.OLDEST]: 'oldest',
  [Sort.UNRECOGNIZED]: null,
} as const;

/** A checked request without its scope. */
export interface CheckedRequest
  extends Omit<SearchQuery, 'team' | 'collections' | 'principals' | 'required' | 'query'> {
  readonly query: QueryOperators;
}

/**
 * Checks a request. An empty query is invalid unless `allowsEmptyQuery`.
 * @throws AppError `invalid_request` with every invalid field
 */
export function readSearchRequest(request: SearchRequest, allowsEmptyQuery = false): CheckedRequest {
  const text = request.query.trim();
  const mode = request.mode === SearchMode.UNRECOGNIZED ? undefined : MODES[request.mode];
  const issues: Issue[] = [];
  const length = [...text].length;
  if (length === 0 && !allowsEmptyQuery) issues.push({ path: 'query', message: 'must not be empty' });
  if (length > SEARCH_LIMITS.query) {
    issues.push({ path: 'query', message: `must have at most ${SEARCH_LIMITS.query} characters` });
  }
  if (mode === undefined) issues.push({ path: 'mode', message: 'must be hybrid, keyword or semantic' });
  const { minScore } = request;
  if (minScore !== undefined && !(minScore >= 0 && minScore <= 1)) {
    issues.push({ path: 'minScore', message: 'must be between 0 and 1' });
  }
  const passages = request.maxPassagesPerDocument;
  if (passages < 0 || passages > SEARCH_LIMITS.passagesPerDocument.max) {
    const message = `must be between 1 and ${SEARCH_LIMITS.passagesPerDocument.max}`;
    issues.push({ path: 'maxPassagesPerDocument', message });
  }
  const collapse = COLLAPSE[request.collapse];
  if (collapse === null) issues.push({ path: 'collapse', message: 'must be duplicates' });
  const sort = SORT[request.sort];
  if (sort === null) issues.push({ path: 'sort', message: 'must be relevance, newest or oldest' });
  const recency = readRecency(request.recency, issues);
  const query = request.literalQuery ? literally(text) : readOperators(text);
  if (query.phrases.length + query.excluded.length > MAX_OPERATORS) {
    issues.push({ path: 'query', message: `must have at most ${MAX_OPERATORS} phrases and exclusions` });
  }
  const page = readPage(request.page);
  if (page.offset + page.limit > SEARCH_LIMITS.depth) {
    const message = `must end within the first ${SEARCH_LIMITS.depth} documents (page × limit). Use filters to narrow the search`;
    issues.push({ path: 'page', message });
  }
  if (issues.length > 0 || mode === undefined) throw invalidRequest(issues);
  return {
    query,
    filter: readFilters(request.filters),
    facetFilters: readFacetFilters(request.facetFilters),
    mode,
    minScore,
    passagesPerDocument: passages === 0 ? SEARCH_LIMITS.passagesPerDocument.default : passages,
    ...(collapse && { collapse }),
    ...(recency && { recency }),
    ...(sort && { sort }),
    ...page,
  };
}

function readRecency(recency: RecencyRequest | undefined, issues: Issue[]): Recency | undefined {
  if (recency === undefined) return undefined;
  const { halfLifeDays: limits, weight: weights } = SEARCH_LIMITS.recency;
  const { halfLifeDays, weight = weights.default, now } = recency;
  if (!(halfLifeDays >= limits.min && halfLifeDays <= limits.max)) {
    issues.push({ path: 'recency.halfLifeDays', message: `must be between ${limits.min} and ${limits.max}` });
  }
  if (!(weight >= 0 && weight <= 1)) issues.push({ path: 'recency.weight', message: 'must be between 0 and 1' });
  return { halfLifeDays, weight, now: now?.getTime() ?? startOfDay(Date.now()) };
}

function readPage(page: PageRequest | undefined): { readonly offset: number; readonly limit: number } {
  const { page: number = 1, limit: asked = 0 } = page ?? {};
  const limit = asked < 1 ? SEARCH_LIMITS.page.default : Math.min(asked, SEARCH_LIMITS.page.max);
  return { offset: (Math.max(1, number) - 1) * limit, limit };
}
