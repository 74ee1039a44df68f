import type { SparseVector } from '../model/vectors.ts';
import { DimensionTable } from './dimension-table.ts';
import { allocatePostings } from './postings-memory.ts';
import { SparseSegment } from './sparse-segment.ts';
import { codeValues, joinTables, type UsedTable } from './value-table.ts';

/** A vector and its point. */
export interface SparseEntry {
  readonly offset: number;
  readonly vector: SparseVector;
}

/** Converts counts, each shifted right by one position, to start positions. */
function addUp(starts: Uint32Array): void {
  for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
}

/** Builds a segment from at most 65,536 vectors. */
export function buildSegment(entries: readonly SparseEntry[]): SparseSegment {
  const total = entries.reduce((sum, { vector }) => sum + vector.indices.length, 0);
  const table = new DimensionTable();
  const numbers = new Uint32Array(total);
  const floats = new Float32Array(total);
  let at = 0;
  for (const { vector } of entries) {
    floats.set(vector.values, at);
    for (let i = 0; i < vector.indices.length; i++) numbers[at++] = table.numberOf(vector.indices[i] ?? 0);
  }
  const { dimensions, ranks } = table.sorted();
  const starts = new Uint32Array(dimensions.length + 1);
  for (let i = 0; i < total; i++) {
    const rank = ranks[numbers[i] ?? 0] ?? 0;
    numbers[i] = rank;
    starts[rank + 1] = (starts[rank + 1] ?? 0) + 1;
  }
  addUp(starts);
  const next = starts.slice();
  const coded = codeValues(floats);
  const postings = allocatePostings(entries.length, total, coded.table);
  const { slots, values } = postings;
  at = 0;
  entries.forEach(({ vector }, slot) => {
    for (let i = 0; i < vector.indices.length; i++, at++) {
      const rank = numbers[at] ?? 0;
      const place = next[rank] ?? 0;
      next[rank] = place + 1;
      slots[place] = slot;
      values[place] = coded.values[at] ?? 0;
    }
  });
  const offsets = Int32Array.from(entries, ({ offset }) => offset);
  return new SparseSegment({ dimensions, starts, offsets }, postings);
}

function unionOf(segments: readonly SparseSegment[]): Uint32Array {
  const all = new Uint32Array(segments.reduce((sum, { columns }) => sum + columns.dimensions.length, 0));
  let at = 0;
  for (const { columns } of segments) {
    all.set(columns.dimensions, at);
    at += columns.dimensions.length;
  }
  all.sort();
  let uniqueCount = 0;
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[uniqueCount++] = all[i] ?? 0;
  return all.slice(0, uniqueCount);
}

/** Returns the position of each of a segment's dimensions in a longer ascending list. */
function ranksIn(dimensions: Uint32Array, all: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(dimensions.length);
  let rank = 0;
  for (let ordinal = 0; ordinal < dimensions.length; ordinal++) {
    while (all[rank] !== dimensions[ordinal]) rank += 1;
    ranks[ordinal] = rank;
  }
  return ranks;
}

/** Returns the new slot of each slot, −1 for deleted ones, and the points of the new slots. */
function renumber(segments: readonly SparseSegment[]): { slotsOf: Int32Array[]; offsets: Int32Array } {
  const offsets = new Int32Array(segments.reduce((sum, { liveSlots }) => sum + liveSlots, 0));
  let next = 0;
  const slotsOf = segments.map(({ columns }) =>
    columns.offsets.map((offset) => {
      if (offset < 0) return -1;
      offsets[next] = offset;
      return next++;
    }),
  );
  return { slotsOf, offsets };
}

/** Finds the values of the vectors that are not deleted. */
function usedTableOf({ columns: { table, slots, values, offsets } }: SparseSegment): UsedTable {
  const isUsed = new Uint8Array(table?.length ?? 0);
  if (table)
    for (let at = 0; at < slots.length; at++) if ((offsets[slots[at] ?? 0] ?? -1) >= 0) isUsed[values[at] ?? 0] = 1;
  return { table, isUsed };
}

/** Merges several segments into one without deleted vectors. At most 65,536 vectors can remain. */
export function mergeSegments(segments: readonly SparseSegment[]): SparseSegment {
  const { slotsOf, offsets } = renumber(segments);
  const dimensions = unionOf(segments);
  const starts = new Uint32Array(dimensions.length + 1);
  const ranks = segments.map(({ columns }) => ranksIn(columns.dimensions, dimensions));
  segments.forEach((segment, i) => {
    ranks[i]?.forEach((rank, ordinal) => {
      starts[rank + 1] = (starts[rank + 1] ?? 0) + segment.frequency(ordinal);
    });
  });
  addUp(starts);
  const next = starts.slice();
  const total = starts[dimensions.length] ?? 0;
  const { table, codesOf } = joinTables(segments.map(usedTableOf));
  const postings = allocatePostings(offsets.length, total, table);
  const { slots, values } = postings;
  segments.forEach(({ columns }, i) => {
    const newSlots = slotsOf[i] ?? new Int32Array(0);
    // Converts a stored value to the value to write: its new code, its float, or itself.
    const translated = codesOf?.[i] ?? columns.table;
    ranks[i]?.forEach((rank, ordinal) => {
      let place = next[rank] ?? 0;
      for (let at = columns.starts[ordinal] ?? 0; at < (columns.starts[ordinal + 1] ?? 0); at++) {
        const slot = newSlots[columns.slots[at] ?? 0] ?? -1;
        if (slot < 0) continue;
        const value = columns.values[at] ?? 0;
        slots[place] = slot;
        values[place++] = translated ? (translated[value] ?? 0) : value;
      }
      next[rank] = place;
    });
  });
  return new SparseSegment({ dimensions, starts, offsets }, postings);
}
