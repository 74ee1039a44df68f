import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createCache } from '#cache';

describe('createCache', () => {
  it('behaves like a map that drops its least recently used entry', () => {
    const command = fc.record({ key: fc.integer({ min: 0, max: 7 }), value: fc.option(fc.nat(9), { nil: undefined }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(command), (maxEntries, commands) => {
        const cache = createCache<number, number>({ maxEntries });
        // Keys in order of use, as an oracle.
        const model = new Map<number, number>();
        const use = (key: number, value: number) => {
          model.delete(key);
          model.set(key, value);
          const [oldest] = model.keys();
          if (model.size > maxEntries && oldest !== undefined) model.delete(oldest);
        };
        for (const { key, value } of commands) {
          if (value !== undefined) {
            cache.set(key, value);
            use(key, value);
            continue;
          }
          const known = model.get(key);
          expect(cache.get(key)).toBe(known);
          if (known !== undefined) use(key, known);
        }
        expect(Object.fromEntries(cache.entries())).toEqual(Object.fromEntries(model));
      }),
    );
  });

  it('never stores more bytes than allowed and skips an entry that is too large', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat(60))), (entries) => {
        const cache = createCache<number, { bytes: number }>({
          maxEntries: 100,
          maxBytes: 50,
          sizeOf: ({ bytes }) => bytes,
        });
        for (const [key, bytes] of entries) {
          cache.set(key, { bytes });
          expect(cache.has(key)).toBe(bytes <= 50);
          expect([...cache.values()].reduce((sum, value) => sum + value.bytes, 0)).toBeLessThanOrEqual(50);
        }
      }),
    );
  });

  it('forgets an entry after its time to live', () => {
    let now = 1;
    const cache = createCache<string, number>({ maxEntries: 2, ttlMs: 100, now: () => now });
    cache.set('a', 1);
    now = 101;
    expect(cache.get('a')).toBe(1);
    now = 102;
    expect(cache.get('a')).toBeUndefined();
  });

  it('reports entries that are evicted or expire, and not those that are replaced or deleted', () => {
    let now = 1;
    const evicted: unknown[] = [];
    const onEvict = (value: number, key: string) => evicted.push([key, value]);
    const cache = createCache<string, number>({ maxEntries: 2, ttlMs: 100, now: () => now, onEvict });
    cache.set('a', 1).set('a', 2).set('b', 3);
    cache.delete('b');
    cache.set('c', 4).set('d', 5);
    now = 200;
    cache.get('c');
    expect(evicted).toEqual([
      ['a', 2],
      ['c', 4],
    ]);
  });
});
