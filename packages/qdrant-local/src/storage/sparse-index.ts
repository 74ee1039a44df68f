import type { SparseVector } from '../model/vectors.ts';
import { Bitmap } from './bitmap.ts';
import { buildSegment, mergeSegments, type SparseEntry } from './build-sparse-segment.ts';
import { type SegmentColumns, SparseSegment } from './sparse-segment.ts';

// The maximum number of newest vectors, which are compared one by one.
const maxTailLength = 64;
// A collection is not searched while it is loaded, so larger segments are built immediately.
const maxTailLengthLoading = 4096;
// This number of segments of similar size is merged into one, up to the largest level. Below a
// million vectors, there are at most a few dozen segments, and each entry is moved three times.
const mergeFactor = 8;
const largestLevel = 3;

// After this number of searches without a change, the newest vectors are merged into few segments.
const quietSearches = 16;

const noVector: SparseVector = { indices: new Uint32Array(0), values: new Float32Array(0) };

// Slots are numbered in 16 bits.
const maxSlots = 65_536;

function levelOf({ slotCount }: SparseSegment): number {
  const doublings = 31 - Math.clz32(Math.max(1, slotCount / maxTailLength));
  return Math.floor(doublings / Math.log2(mergeFactor));
}

/** Returns the first segments that fit into one. */
function fitting(segments: readonly SparseSegment[]): SparseSegment[] {
  let slots = 0;
  return segments.filter(({ liveSlots }) => {
    if (slots + liveSlots > maxSlots) return false;
    slots += liveSlots;
    return true;
  });
}

/** The vectors of an index for a snapshot. */
export interface CapturedSparse {
  readonly segments: readonly SegmentColumns[];
  readonly tail: readonly SparseEntry[];
  readonly present: Bitmap;
}

/** The location of a vector: a slot of a segment, or a position in the tail. */
interface Location {
  readonly segment: SparseSegment | undefined;
  readonly slot: number;
}

/**
 * All sparse vectors of one name: segments of posting lists that are built once, and a short tail
 * of the newest vectors, which becomes a segment when it is full. A replaced or deleted vector is
 * marked in its segment. A segment is rebuilt when most of its vectors are deleted.
 */
export class SparseIndex {
  readonly #present = new Bitmap();
  readonly #segmentOf: (SparseSegment | undefined)[] = [];
  // The slot in the segment, or the position in the tail; −1 for an empty vector.
  readonly #slotOf: number[] = [];
  #segments: SparseSegment[] = [];
  #tail: (SparseEntry | undefined)[] = [];
  #size = 0;
  #isLoading = false;
  #searchesSinceChange = 0;
  #changeCount = 0;

  /** The number of points with a non-empty vector: N in Qdrant's IDF. */
  get size(): number {
    return this.#size;
  }

  /** Increases with every change of a vector. */
  get changeCount(): number {
    return this.#changeCount;
  }

  /** The offsets that have this vector. */
  get present(): Bitmap {
    return this.#present;
  }

  get segments(): readonly SparseSegment[] {
    return this.#segments;
  }

  /** The vectors that are not in a segment yet. */
  tail(): readonly SparseEntry[] {
    return this.#tail.filter((entry) => entry !== undefined);
  }

  /** Called before each search. */
  noteSearch(): void {
    for (const segment of this.#segments) segment.freeUnusedForward();
    this.#searchesSinceChange += 1;
    if (this.#searchesSinceChange !== quietSearches) return;
    if (this.#tail.length > 0) this.#seal();
    const smallest = fitting(this.#segments.filter((segment) => levelOf(segment) === 0));
    if (smallest.length > 1) this.#replace(smallest);
  }

  /** Set this during bulk loading, before any search. */
  setLoading(isLoading: boolean): void {
    this.#isLoading = isLoading;
    if (!isLoading && this.#tail.length >= maxTailLength) this.#seal();
  }

  get(offset: number): SparseVector | undefined {
    if (!this.#present.has(offset)) return undefined;
    const { segment, slot } = this.locate(offset);
    if (slot < 0) return noVector;
    return segment ? segment.vectorAt(slot) : this.#tail[slot]?.vector;
  }

  /** Returns the location of an offset's vector. The slot is −1 for an empty vector. */
  locate(offset: number): Location {
    return { segment: this.#segmentOf[offset], slot: this.#slotOf[offset] ?? -1 };
  }

  set(offset: number, vector: SparseVector): void {
    this.delete(offset);
    this.#present.add(offset);
    this.#slotOf[offset] = -1;
    if (vector.indices.length === 0) return;
    this.#size += 1;
    this.#slotOf[offset] = this.#tail.length;
    this.#tail.push({ offset, vector });
    if (this.#tail.length >= (this.#isLoading ? maxTailLengthLoading : maxTailLength)) this.#seal();
  }

  delete(offset: number): void {
    this.#searchesSinceChange = 0;
    this.#changeCount += 1;
    if (!this.#present.has(offset)) return;
    const { segment, slot } = this.locate(offset);
    this.#present.delete(offset);
    this.#slotOf[offset] = -1;
    this.#segmentOf[offset] = undefined;
    if (slot < 0) return;
    this.#size -= 1;
    if (!segment) {
      this.#tail[slot] = undefined;
      return;
    }
    segment.delete(slot);
    if (segment.liveSlots < segment.slotCount / 2) this.#replace([segment]);
  }

  /** Returns the current vectors for a snapshot. Segments are shared, because they do not change. */
  capture(): CapturedSparse {
    return {
      segments: this.#segments.map(({ columns }) => ({ ...columns, offsets: columns.offsets.slice() })),
      tail: this.tail(),
      present: this.#present.clone(),
    };
  }

  /** Adds a captured segment. */
  restoreSegment(columns: SegmentColumns): void {
    const segment = SparseSegment.restore(columns);
    this.#adopt(segment);
    this.#size += segment.liveSlots;
    for (const offset of columns.offsets) if (offset >= 0) this.#present.add(offset);
  }

  /** Adds the vectors that are in no segment. `present` includes those that are. */
  restoreRest(tail: readonly SparseEntry[], present: Bitmap): void {
    for (const { offset, vector } of tail) this.set(offset, vector);
    present.andNot(this.#present).forEach((offset) => {
      this.set(offset, noVector);
    });
  }

  #seal(): void {
    const entries = this.tail();
    this.#tail = [];
    if (entries.length === 0) return;
    this.#adopt(buildSegment(entries));
    for (let level = 0; level < largestLevel; level++) {
      const alike = this.#segments.filter((segment) => levelOf(segment) === level);
      if (alike.length >= mergeFactor) this.#replace(fitting(alike));
    }
  }

  #replace(segments: readonly SparseSegment[]): void {
    this.#segments = this.#segments.filter((segment) => !segments.includes(segment));
    if (segments.some(({ liveSlots }) => liveSlots > 0)) this.#adopt(mergeSegments(segments));
  }

  #adopt(segment: SparseSegment): void {
    this.#segments.push(segment);
    segment.columns.offsets.forEach((offset, slot) => {
      if (offset < 0) return;
      this.#segmentOf[offset] = segment;
      this.#slotOf[offset] = slot;
    });
  }
}
