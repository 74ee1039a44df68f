import type { Bitmap } from '../storage/bitmap.ts';
import type { SparseSegment } from '../storage/sparse-segment.ts';

/** The positions of a query's dimensions in a segment. */
export interface SegmentDimensions {
  readonly segment: SparseSegment;
  /** The ordinal of each of the query's dimensions, −1 if the segment does not contain it. */
  readonly ordinals: Int32Array;
  /** The total number of entries of these dimensions. */
  readonly entryCount: number;
}

/** Looks up a query's dimensions in a segment. */
export function findDimensions(segment: SparseSegment, indices: Uint32Array): SegmentDimensions {
  const ordinals = new Int32Array(indices.length);
  let entryCount = 0;
  for (let i = 0; i < indices.length; i++) {
    const ordinal = segment.ordinalOf(indices[i] ?? 0);
    ordinals[i] = ordinal;
    if (ordinal >= 0) entryCount += segment.entryCount(ordinal);
  }
  return { segment, ordinals, entryCount };
}

/** Returns 1 for each slot of a segment whose point is in the corpus, otherwise 0. */
export function slotsInCorpus({ columns: { offsets } }: SparseSegment, corpus: Bitmap): Uint8Array {
  const slots = new Uint8Array(offsets.length);
  for (let slot = 0; slot < slots.length; slot++) {
    const offset = offsets[slot] ?? -1;
    if (offset >= 0 && corpus.has(offset)) slots[slot] = 1;
  }
  return slots;
}

/** Returns the number of these slots that have the dimension. */
export function countInCorpus(segment: SparseSegment, ordinal: number, inCorpus: Uint8Array): number {
  const { starts, slots } = segment.columns;
  const end = starts[ordinal + 1] ?? 0;
  let frequency = 0;
  for (let at = starts[ordinal] ?? 0; at < end; at++) frequency += inCorpus[slots[at] ?? 0] ?? 0;
  return frequency;
}
