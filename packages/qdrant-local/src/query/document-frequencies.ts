import type { SparseVector } from '../model/vectors.ts';
import type { Bitmap } from '../storage/bitmap.ts';
import type { SparseEntry } from '../storage/build-sparse-segment.ts';
import type { SparseIndex } from '../storage/sparse-index.ts';
import { countInCorpus, type SegmentDimensions, slotsInCorpus } from './sparse-dimensions.ts';

// Corpora per index and dimensions per corpus whose frequencies are kept. Most queries of a team have
// the same corpus and share frequent dimensions, whose posting lists are the longest.
const maxCorpora = 16;
const maxDimensions = 20_000;

/** The known frequencies in a corpus, which is compared by its content. */
interface Corpus {
  readonly words: Buffer;
  readonly frequencies: Map<number, number>;
}

interface Known {
  readonly changeCount: number;
  /** The most recently used one is last. */
  readonly corpora: Corpus[];
  /** The number of vectors of a corpus, by the bitmap of a filter. */
  readonly sizes: WeakMap<Bitmap, number>;
}

const knownByIndex = new WeakMap<SparseIndex, Known>();

function knownOf(index: SparseIndex): Known {
  const { changeCount } = index;
  const before = knownByIndex.get(index);
  if (before?.changeCount === changeCount) return before;
  const known: Known = { changeCount, corpora: [], sizes: new WeakMap() };
  knownByIndex.set(index, known);
  return known;
}

/** Returns the number of the corpus's points that have a vector. The bitmap must not change. */
export function corpusSize(index: SparseIndex, corpus: Bitmap): number {
  const { sizes } = knownOf(index);
  const size = sizes.get(corpus) ?? corpus.intersectionCount(index.present);
  sizes.set(corpus, size);
  return size;
}

function knownCorpus(index: SparseIndex, corpus: Bitmap): Corpus {
  const known = knownOf(index);
  const { words } = corpus;
  const bytes = Buffer.from(words.buffer, words.byteOffset, words.byteLength);
  const at = known.corpora.findIndex((other) => other.words.equals(bytes));
  const [found] = at < 0 ? [] : known.corpora.splice(at, 1);
  const used = found ?? { words: Buffer.from(bytes), frequencies: new Map() };
  known.corpora.push(used);
  if (known.corpora.length > maxCorpora) known.corpora.shift();
  return used;
}

/** Returns the position of a dimension in ascending indices; −1 if it is not among them. */
export function placeOf(indices: Uint32Array, dimension: number): number {
  let low = 0;
  let high = indices.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = indices[middle] ?? 0;
    if (found === dimension) return middle;
    if (found < dimension) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function countTail(tail: readonly SparseEntry[], dimension: number, corpus: Bitmap | undefined): number {
  let count = 0;
  for (const { offset, vector } of tail)
    if ((!corpus || corpus.has(offset)) && placeOf(vector.indices, dimension) >= 0) count += 1;
  return count;
}

/** Returns the number of vectors with each of the query's dimensions. */
export function frequenciesOf(
  query: SparseVector,
  segments: readonly SegmentDimensions[],
  tail: readonly SparseEntry[],
): Float64Array {
  return Float64Array.from(query.indices, (dimension, i) => {
    let count = countTail(tail, dimension, undefined);
    for (const { segment, ordinals } of segments) {
      const ordinal = ordinals[i] ?? -1;
      if (ordinal >= 0) count += segment.frequency(ordinal);
    }
    return count;
  });
}

/**
 * Returns the number of the corpus's vectors with each of the query's dimensions. Counts are kept
 * until the index changes.
 */
export function frequenciesWithin(
  index: SparseIndex,
  query: SparseVector,
  segments: readonly SegmentDimensions[],
  tail: readonly SparseEntry[],
  corpus: Bitmap,
): Float64Array {
  const { frequencies: known } = knownCorpus(index, corpus);
  if (known.size > maxDimensions) known.clear();
  const missing = Array.from(query.indices.keys()).filter((i) => !known.has(query.indices[i] ?? 0));
  const counts = new Float64Array(query.indices.length);
  for (const { segment, ordinals } of missing.length > 0 ? segments : []) {
    const slots = slotsInCorpus(segment, corpus);
    for (const i of missing) {
      const ordinal = ordinals[i] ?? -1;
      if (ordinal >= 0) counts[i] = (counts[i] ?? 0) + countInCorpus(segment, ordinal, slots);
    }
  }
  for (const i of missing) {
    const dimension = query.indices[i] ?? 0;
    known.set(dimension, (counts[i] ?? 0) + countTail(tail, dimension, corpus));
  }
  return Float64Array.from(query.indices, (dimension) => known.get(dimension) ?? 0);
}
