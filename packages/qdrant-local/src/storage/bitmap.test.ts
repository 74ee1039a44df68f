import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Bitmap } from './bitmap.ts';
import { IdSet } from './id-set.ts';

const offsets = fc.uniqueArray(fc.integer({ min: 0, max: 700 }), { maxLength: 400 });
const ascending = (set: Iterable<number>): number[] => [...set].sort((a, b) => a - b);

describe('a bitmap', () => {
  it('behaves like a set under and, or, and-not and counting', () => {
    fc.assert(
      fc.property(offsets, offsets, (left, right) => {
        const a = new Set(left);
        const b = new Set(right);
        const bitmap = (): Bitmap => Bitmap.of(left);
        const other = Bitmap.of(right);
        expect([...bitmap().and(other).toArray()]).toEqual(ascending(left.filter((n) => b.has(n))));
        expect([...bitmap().or(other).toArray()]).toEqual(ascending(new Set([...left, ...right])));
        expect([...bitmap().andNot(other).toArray()]).toEqual(ascending(left.filter((n) => !b.has(n))));
        expect(bitmap().intersectionCount(other)).toBe(left.filter((n) => b.has(n)).length);
        expect(bitmap().count()).toBe(a.size);
      }),
    );
  });

  it('allows a visitor to delete the current offset', () => {
    const bitmap = Bitmap.of([1, 31, 32, 63, 64]);
    bitmap.forEach((offset) => {
      if (offset % 2 === 1) bitmap.delete(offset);
    });
    expect([...bitmap.toArray()]).toEqual([32, 64]);
  });
});

describe('a set of offsets', () => {
  it('keeps its elements when it grows into a bitmap', () => {
    fc.assert(
      fc.property(offsets, offsets, (added, removed) => {
        const set = new IdSet();
        const model = new Set(added);
        for (const offset of added) set.add(offset);
        for (const offset of removed) {
          set.delete(offset);
          model.delete(offset);
        }
        const all = new Bitmap();
        set.addTo(all);
        expect([...all.toArray()]).toEqual(ascending(model));
        expect(set.size).toBe(model.size);
        expect(set.countIn(Bitmap.of(removed))).toBe(0);
        expect(set.countIn(Bitmap.of(added))).toBe(model.size);
      }),
    );
  });
});
