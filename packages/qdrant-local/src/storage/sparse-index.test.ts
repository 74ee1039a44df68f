import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { SparseIndex } from './sparse-index.ts';
import { SparseSegment } from './sparse-segment.ts';

const lists = fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 12 }), {
  minLength: 65,
  maxLength: 200,
});
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom('read' as const, 'delete' as const), offset: fc.nat({ max: 199 }) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
  ),
  { maxLength: 40 },
);

/** Sets 3,000 vectors with this number of distinct values. The kernel adds up segments of this size. */
const setMany = (index: SparseIndex, count: number): void => {
  index.setLoading(true);
  for (let offset = 0; offset < 3000; offset++) {
    const values = Float32Array.from([0, 1], (at) => 1 + ((offset + at * 7) % count) / 8);
    index.set(offset, { indices: Uint32Array.from([offset % 5, 9]), values });
  }
  index.setLoading(false);
};
const withValues = (count: number): SparseIndex => {
  const index = new SparseIndex();
  setMany(index, count);
  return index;
};
const valueSizes = (index: SparseIndex) =>
  new Set(index.segments.map(({ columns }) => columns.values.BYTES_PER_ELEMENT));

describe('the value of an entry', () => {
  it('takes one byte in memory if there are at most 256 distinct ones', () => {
    expect(valueSizes(withValues(256))).toEqual(new Set([1]));
    expect(valueSizes(withValues(257))).toEqual(new Set([2]));
  });

  it('takes one byte again after all vectors with other values were replaced', () => {
    const index = withValues(2_000);
    setMany(index, 100);
    setMany(index, 100);
    expect(valueSizes(index)).toEqual(new Set([1]));
    for (const offset of [0, 1500, 2999]) {
      const values = Float32Array.of(1 + (offset % 100) / 8, 1 + ((offset + 7) % 100) / 8);
      expect(index.get(offset)).toEqual({ indices: Uint32Array.of(offset % 5, 9), values });
    }
  });

  it('is the same after a start with a snapshot of an earlier version, which has two bytes', () => {
    const [segment] = withValues(256).segments;
    if (!segment) throw new Error('There is no segment.');
    const values = Uint16Array.from(segment.columns.values);
    const restored = SparseSegment.restore({ ...segment.columns, values });
    expect(restored.columns.values.BYTES_PER_ELEMENT).toBe(1);
    for (const slot of [0, 1, 1499, 2999]) expect(restored.vectorAt(slot)).toEqual(segment.vectorAt(slot));
  });
});

describe('SparseIndex', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('frees the lists for reading and deleting a minute after their last use, and reads and deletes as before', () => {
    let now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    fc.assert(
      fc.property(lists, steps, (dimensionsOf, sequence) => {
        const index = new SparseIndex();
        const expected = new Map(
          dimensionsOf.map((dimensions, offset) => {
            const indices = Uint32Array.from(dimensions).sort();
            return [offset, { indices, values: Float32Array.from(indices, (dimension) => dimension + 1) }];
          }),
        );
        for (const [offset, vector] of expected) index.set(offset, vector);
        let usedAt = now;
        for (const step of sequence) {
          if (step.kind === 'wait') {
            now += step.ms;
            index.noteSearch();
            if (now - usedAt >= 60_000) expect(index.segments.some(({ hasForward }) => hasForward)).toBe(false);
            continue;
          }
          usedAt = now;
          if (step.kind === 'read') expect(index.get(step.offset)).toEqual(expected.get(step.offset));
          else {
            index.delete(step.offset);
            expected.delete(step.offset);
          }
        }
        const counts = new Map<number, number>();
        for (const segment of index.segments) {
          segment.columns.dimensions.forEach((dimension, ordinal) => {
            counts.set(dimension, (counts.get(dimension) ?? 0) + segment.frequency(ordinal));
          });
        }
        for (const { vector } of index.tail()) {
          for (const dimension of vector.indices) counts.set(dimension, (counts.get(dimension) ?? 0) + 1);
        }
        for (const [dimension, count] of counts) {
          const having = [...expected.values()].filter(({ indices }) => indices.includes(dimension));
          expect(count).toBe(having.length);
        }
      }),
    );
  });
});
