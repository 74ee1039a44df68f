import { type FoundDocument, type FoundDocuments, searchDocuments } from '#search/search-documents';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/**
 * The number of documents at the start of a ranking whose order can change. It is the same for every
 * page of a query, so that no document is repeated or missing.
 */
const WINDOW = 50;

/** Changes the order of the first documents of a ranking. */
export interface Reordering {
  /** The passages of each document that it needs. */
  readonly passagesPerDocument: number;
  reorder(hits: readonly FoundDocument[], signal: AbortSignal): Promise<readonly FoundDocument[]>;
}

/** Searches like `searchDocuments` and applies the reorderings, in order, to the first documents. */
export async function searchReordered(
  deps: SearchDeps,
  query: SearchQuery,
  reorderings: readonly Reordering[],
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const { offset } = query;
  const end = offset + query.limit;
  if (reorderings.length === 0 || offset >= WINDOW) return searchDocuments(deps, query, signal);

  const passages = reorderings.map(({ passagesPerDocument }) => passagesPerDocument);
  const passagesPerDocument = Math.max(query.passagesPerDocument, ...passages);
  const [window, page] = await Promise.all([
    searchDocuments(deps, { ...query, offset: 0, limit: WINDOW, passagesPerDocument }, signal),
    // The page extends beyond the window: later documents keep their position.
    end > WINDOW ? searchDocuments(deps, query, signal) : undefined,
  ]);
  let ordered = window.hits;
  for (const { reorder } of reorderings) ordered = await reorder(ordered, signal);
  const shown = ordered
    .slice(offset, end)
    .map((hit) => ({ ...hit, passages: hit.passages.slice(0, query.passagesPerDocument) }));
  const after = page?.hits.slice(WINDOW - offset) ?? [];
  return { ...window, hits: [...shown, ...after], hasMore: end < window.total };
}
