import { type Reordering, searchReordered } from '#rerank/search-reordered';
import { type Curation, mergePins, othersOn } from '#rules/curation';
import { readPins } from '#rules/read-pins';
import type { FoundDocument, FoundDocuments } from '#search/search-documents';
import type { SearchDeps } from '#search/search-model';
import type { SearchQuery } from '#search/search-query';

/**
 * Searches like `searchReordered` and applies the rules of the team. Hidden documents do not match.
 * Pinned ones match if they meet the filters, phrases and exclusions, and are at their positions on
 * all pages. With a minimum relevance, pins have no effect: they have none. In an order by date, they
 * have no effect either.
 */
export async function searchCurated(
  deps: SearchDeps,
  query: SearchQuery,
  { pins, hidden }: Curation,
  reorderings: readonly Reordering[],
  signal: AbortSignal,
): Promise<FoundDocuments> {
  const visible: SearchQuery = hidden.length === 0 ? query : { ...query, except: hidden };
  const hasPins = pins.length > 0 && query.sort === undefined && (query.minScore ?? 0) === 0;
  if (!hasPins) return searchReordered(deps, visible, reorderings, signal);

  const pinned = await readPins(deps, visible, pins, signal);
  const page = { offset: query.offset, end: query.offset + query.limit };
  const span = othersOn(page, pinned.pins);
  const others: SearchQuery = {
    ...query,
    except: [...hidden, ...pins.map(({ document }) => document)],
    offset: span.offset,
    // A page of pins alone still needs the number of the other results.
    limit: Math.max(1, span.end - span.offset),
  };
  const found = await searchReordered(deps, others, reorderings, signal);
  const placed = pinned.pins.map((pin) => ({ ...pin, hit: { ...pin.hit, isPinned: true } }));
  const total = found.total + placed.length;
  return {
    ...found,
    hits: mergePins<FoundDocument>(page, placed, found.hits, found.total),
    total,
    hasMore: page.end < total,
    matches: [...found.matches, ...pinned.matches],
  };
}
