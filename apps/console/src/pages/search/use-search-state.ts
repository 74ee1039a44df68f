import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** The facet fields in display order. */
export const FACET_FIELDS = ['collection', 'source', 'type', 'author'] as const;
type FacetField = (typeof FACET_FIELDS)[number];

export const MODES = ['hybrid', 'keyword', 'semantic'] as const;
type Mode = (typeof MODES)[number];

export const SORTS = ['relevance', 'newest', 'oldest'] as const;
type Sort = (typeof SORTS)[number];

/** The state of a search. It is stored in the page's URL, so that it can be shared. */
export interface SearchState {
  readonly query: string;
  readonly mode: Mode;
  readonly sort: Sort;
  readonly page: number;
  /** Shows near-duplicates as one result. */
  readonly isCollapsed: boolean;
  readonly prefersRecent: boolean;
  readonly chosen: Readonly<Record<FacetField, readonly string[]>>;
}

export const NO_FILTERS: SearchState['chosen'] = { collection: [], source: [], type: [], author: [] };

export const hasFilters = (chosen: SearchState['chosen']): boolean =>
  FACET_FIELDS.some((field) => chosen[field].length > 0);

function read(params: URLSearchParams): SearchState {
  const page = Number(params.get('page') ?? 1);
  return {
    query: (params.get('q') ?? '').trim(),
    mode: MODES.find((mode) => mode === params.get('mode')) ?? 'hybrid',
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'relevance',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    isCollapsed: params.get('duplicates') !== 'show',
    prefersRecent: params.has('recent'),
    chosen: {
      collection: params.getAll('collection'),
      source: params.getAll('source'),
      type: params.getAll('type'),
      author: params.getAll('author'),
    },
  };
}

/** Returns the parameters of the page for a search. */
export function paramsOf({
  query,
  mode,
  sort,
  page,
  isCollapsed,
  prefersRecent,
  chosen,
}: SearchState): URLSearchParams {
  const params = new URLSearchParams();
  if (query !== '') params.set('q', query);
  if (mode !== 'hybrid') params.set('mode', mode);
  if (sort !== 'relevance') params.set('sort', sort);
  if (!isCollapsed) params.set('duplicates', 'show');
  if (prefersRecent) params.set('recent', '');
  for (const field of FACET_FIELDS) for (const value of chosen[field]) params.append(field, value);
  if (page > 1) params.set('page', String(page));
  return params;
}

/** Changes a search. With `replace`, the back button skips the earlier one. */
export type ChangeSearch = (change: Partial<SearchState>, options?: { readonly replace?: boolean }) => void;

export function useSearchState(): readonly [SearchState, ChangeSearch] {
  const [params, setParams] = useSearchParams();
  const change = useCallback<ChangeSearch>(
    // Every change except that of the page returns to the first page.
    (changed, options) => setParams((current) => paramsOf({ ...read(current), page: 1, ...changed }), options),
    [setParams],
  );
  return [read(params), change];
}
