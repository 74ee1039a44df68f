import type { Bitmap } from '../storage/bitmap.ts';
import type { PostingsKernel } from '../storage/postings-memory.ts';
import type { SparseSegment } from '../storage/sparse-segment.ts';
import { kthLargest } from './kth-largest.ts';
import type { SegmentDimensions } from './sparse-dimensions.ts';
import type { TopK } from './top-k.ts';

// Products above this value do not become 0 when they are rounded to 32 bits.
const surelyPositive = 1e-40;

// Sums by slot, all zero between searches. Small enough for the CPU cache.
const scores = new Float32Array(65_536);
const touched = new Uint8Array(65_536);

function addFloats(segment: SparseSegment, ordinal: number, weight: number): void {
  const { starts, slots, values } = segment.columns;
  const end = starts[ordinal + 1] ?? 0;
  for (let at = starts[ordinal] ?? 0; at < end; at++) {
    const slot = slots[at] ?? 0;
    scores[slot] = (scores[slot] ?? 0) + weight * (values[at] ?? 0);
  }
}

function addCodes(segment: SparseSegment, table: Float32Array, ordinal: number, weight: number): void {
  const { starts, slots, values } = segment.columns;
  const end = starts[ordinal + 1] ?? 0;
  for (let at = starts[ordinal] ?? 0; at < end; at++) {
    const slot = slots[at] ?? 0;
    scores[slot] = (scores[slot] ?? 0) + weight * (table[values[at] ?? 0] ?? 0);
  }
}

function touch(segment: SparseSegment, ordinal: number): void {
  const { starts, slots } = segment.columns;
  for (let at = starts[ordinal] ?? 0; at < (starts[ordinal + 1] ?? 0); at++) touched[slots[at] ?? 0] = 1;
}

/** Returns whether exactly the vectors that share a dimension with the query score above 0. */
function touchedArePositive({ segment, ordinals }: SegmentDimensions, weights: Float32Array): boolean {
  return ordinals.every(
    (ordinal, i) => ordinal < 0 || ((weights[i] ?? 0) * segment.leastValue > surelyPositive && (weights[i] ?? 0) > 0),
  );
}

/**
 * Sums the posting lists of a segment in the order of the query's dimensions, and pushes hits to
 * `top`.
 */
export function scoreSegment(
  found: SegmentDimensions,
  weights: Float32Array,
  candidates: Bitmap,
  top: TopK,
  minScore: number,
): void {
  const { segment, ordinals } = found;
  const { table, offsets } = segment.columns;
  if (found.entryCount === 0) return;
  const scoreShowsMatch = touchedArePositive(found, weights);
  if (scoreShowsMatch && segment.kernel) {
    scoreByKernel(found, segment.kernel, weights, candidates, top, minScore);
    return;
  }
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i] ?? -1;
    if (ordinal < 0) continue;
    if (table) addCodes(segment, table, ordinal, weights[i] ?? 0);
    else addFloats(segment, ordinal, weights[i] ?? 0);
    if (!scoreShowsMatch) touch(segment, ordinal);
  }
  if (scoreShowsMatch && found.entryCount * entriesPerSlot < offsets.length) {
    takeListed(found, candidates, top, minScore);
    return;
  }
  for (let slot = 0; slot < offsets.length; slot++) {
    const score = scores[slot] ?? 0;
    if (score < top.threshold || score <= minScore || (scoreShowsMatch ? score === 0 : touched[slot] === 0)) continue;
    const offset = offsets[slot] ?? -1;
    if (offset >= 0 && candidates.has(offset)) top.push(offset, score);
  }
  scores.fill(0, 0, offsets.length);
  if (!scoreShowsMatch) touched.fill(0, 0, offsets.length);
}

// The share of the sums that is read for a guess of the least sum, and how much lower the guess is.
const sampledSlots = 16;
const sample = new Float32Array(65_536 / sampledSlots);
const guessedHits = 1.5;

/** Returns a sum that probably slightly more than `limit` slots have; 0 if that cannot be guessed. */
function guessLeast(sums: Float32Array, limit: number): number {
  let count = 0;
  for (let slot = 0; slot < sums.length; slot += sampledSlots) sample[count++] = sums[slot] ?? 0;
  const wanted = Math.ceil((limit * guessedHits) / sampledSlots) + 2;
  return wanted > count ? 0 : kthLargest(sample, count, wanted);
}

/** The same as `scoreSegment` with a kernel; all sums of matching slots are positive. */
function scoreByKernel(
  { segment, ordinals }: SegmentDimensions,
  kernel: PostingsKernel,
  weights: Float32Array,
  candidates: Bitmap,
  top: TopK,
  minScore: number,
): void {
  const { starts, offsets } = segment.columns;
  const { sums } = kernel;
  kernel.add(starts, ordinals, weights);
  const take = (least: number): number => {
    let count = 0;
    for (const slot of kernel.select(Math.max(least, surelyPositive))) {
      const score = sums[slot] ?? 0;
      const offset = offsets[slot] ?? -1;
      if (offset < 0 || score <= minScore || !candidates.has(offset)) continue;
      count += 1;
      // The slot is not read again.
      sums[slot] = 0;
      if (score >= top.threshold) top.push(offset, score);
    }
    return count;
  };
  const isOpen = top.threshold === Number.NEGATIVE_INFINITY;
  const guess = isOpen ? guessLeast(sums, top.limit) : 0;
  const found = guess > 0 ? take(guess) : 0;
  if (found < top.limit) take(top.threshold);
  sums.fill(0);
}

// Reading an entry again costs about as much as reading the sums of this many slots.
const entriesPerSlot = 2;

/** Takes the positive sums of the listed slots: faster than reading all sums if the lists are short. */
function takeListed({ segment, ordinals }: SegmentDimensions, candidates: Bitmap, top: TopK, minScore: number): void {
  const { starts, slots, offsets } = segment.columns;
  for (const ordinal of ordinals) {
    if (ordinal < 0) continue;
    const end = starts[ordinal + 1] ?? 0;
    for (let at = starts[ordinal] ?? 0; at < end; at++) {
      const slot = slots[at] ?? 0;
      const score = scores[slot] ?? 0;
      if (score === 0) continue;
      scores[slot] = 0;
      if (score < top.threshold || score <= minScore) continue;
      const offset = offsets[slot] ?? -1;
      if (offset >= 0 && candidates.has(offset)) top.push(offset, score);
    }
  }
}

/** The same for a query of one dimension, whose scores need no sums: it only reads one posting list. */
export function scoreDimension(
  { segment, ordinals: [ordinal = -1] }: SegmentDimensions,
  [weight = 0]: Float32Array,
  candidates: Bitmap,
  top: TopK,
  minScore: number,
): void {
  if (ordinal < 0) return;
  const { starts, slots, values, table, offsets } = segment.columns;
  const end = starts[ordinal + 1] ?? 0;
  for (let at = starts[ordinal] ?? 0; at < end; at++) {
    const value = values[at] ?? 0;
    // A sum from 0 is never −0, unless it is rounded to it.
    const score = Math.fround(0 + weight * (table ? (table[value] ?? 0) : value));
    if (score < top.threshold || score <= minScore) continue;
    const offset = offsets[slots[at] ?? 0] ?? -1;
    if (offset >= 0 && candidates.has(offset)) top.push(offset, score);
  }
}

/**
 * Calculates the score of one vector of a segment. Calls `emit` if it shares a dimension with the
 * query.
 */
export function scoreSlots(
  { segment, ordinals }: SegmentDimensions,
  slot: number,
  weights: Float32Array,
  emit: (score: number) => void,
): void {
  let score = 0;
  let isTouched = false;
  for (let i = 0; i < ordinals.length; i++) {
    const ordinal = ordinals[i] ?? -1;
    const value = ordinal < 0 ? undefined : segment.valueAt(ordinal, slot);
    if (value === undefined) continue;
    isTouched = true;
    score = Math.fround(score + (weights[i] ?? 0) * value);
  }
  if (isTouched) emit(score);
}
