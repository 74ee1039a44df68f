import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMemo } from '#memo';

const MAX_ENTRIES = 8;
const KEYS = 20;

describe('createMemo', () => {
  it('returns the last value of a key or nothing, and has room for the most recent half', () => {
    const command = fc.record({ key: fc.nat(KEYS - 1), value: fc.option(fc.nat(99), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const memo = createMemo<number, number>({ maxEntries: MAX_ENTRIES });
        const written = new Map<number, number>();
        let used: number[] = [];
        for (const { key, value } of commands) {
          if (value === undefined) {
            const found = memo.get(key);
            if (used.slice(-MAX_ENTRIES / 2).includes(key)) expect(found).toBe(written.get(key));
            else expect([undefined, written.get(key)]).toContain(found);
            if (found === undefined) continue;
          } else {
            memo.set(key, value);
            written.set(key, value);
          }
          used = [...used.filter((other) => other !== key), key];
        }
      }),
    );
  });

  it('forgets entries beyond its size', () => {
    const memo = createMemo<number, number>({ maxEntries: MAX_ENTRIES });
    for (let key = 0; key < 100; key += 1) memo.set(key, key);
    const kept = Array.from({ length: 100 }, (_, key) => memo.get(99 - key)).filter((value) => value !== undefined);
    expect(kept.length).toBeLessThanOrEqual(MAX_ENTRIES);
    expect(kept.slice(0, MAX_ENTRIES / 2)).toEqual([99, 98, 97, 96]);
  });

  it('keeps one entry at least', () => {
    const memo = createMemo<string, number>({ maxEntries: 1 });
    memo.set('a', 1);
    expect(memo.get('a')).toBe(1);
  });
});
