import { comparePointIds, type PointId } from '../model/point-id.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { SearchSource } from './search-source.ts';

// Sorting this number of candidates is faster than looking them up in the list of all points.
const maxSortedHere = 256;

/** Returns ids in Qdrant's order: those of a few candidates, or of all points if there are many. */
export function idsInOrder(source: SearchSource, candidates: Bitmap): readonly PointId[] {
  if (candidates.count() > maxSortedHere) return source.sortedIds();
  return Array.from(candidates.toArray(), (offset) => source.idAt(offset)).sort(comparePointIds);
}
