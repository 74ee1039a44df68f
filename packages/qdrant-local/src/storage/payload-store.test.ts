import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonWriter } from '../json/json-writer.ts';
import type { JsonObject } from '../json/types.ts';
import { PayloadFile } from './payload-file.ts';
import { PayloadStore, type StoredSlice } from './payload-store.ts';

// What JSON keeps: it has no negative zero, and an object's `__proto__` is a key like any other.
const value = fc.jsonValue().map((json) => JSON.parse(JSON.stringify(json)));
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'ä"ö', '__proto__', '', '7'),
  fc.string({ maxLength: 4, unit: 'grapheme' }),
);
const payload = fc
  .array(fc.tuple(key, value), { maxLength: 6 })
  .map(
    (entries): JsonObject => JSON.parse(`{${entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)}}`),
  );

function picked(from: JsonObject, keys: readonly string[]): string {
  const fields = Object.keys(from).filter((name) => keys.includes(name));
  return `{${fields.map((name) => `${JSON.stringify(name)}:${JSON.stringify(from[name])}`)}}`;
}

/** Returns the written text. */
function textOf(write: (to: JsonWriter) => void): string {
  const to = new JsonWriter();
  write(to);
  return to.toString();
}

describe('the payload store', () => {
  it('returns the same payloads after they were moved to files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'qdrant-local-payloads-'));
    let files = 0;
    const change = fc.tuple(fc.nat({ max: 30 }), fc.option(payload, { nil: undefined }));
    const round = fc.record({
      before: fc.array(change, { maxLength: 30 }),
      meanwhile: fc.array(change, { maxLength: 10 }),
      fails: fc.boolean(),
    });
    try {
      fc.assert(
        fc.property(fc.array(round, { maxLength: 5 }), (rounds) => {
          const store = new PayloadStore();
          const expected = new Map<number, JsonObject>();
          const apply = (changes: readonly (readonly [number, JsonObject | undefined])[]): void => {
            for (const [offset, stored] of changes) {
              if (stored) store.set(offset, stored);
              else store.delete(offset);
              if (stored) expected.set(offset, stored);
              else expected.delete(offset);
            }
          };
          const check = (): void => {
            for (let offset = 0; offset <= 30; offset++)
              expect(store.text(offset)).toBe(JSON.stringify(expected.get(offset) ?? {}));
            const read = store.createReader('a');
            for (let offset = 0; offset <= 30; offset++)
              expect(JSON.stringify(read(offset))).toBe(picked(expected.get(offset) ?? {}, ['a']));
          };
          for (const { before, meanwhile, fails } of rounds) {
            apply(before);
            const captured = store.capture();
            const [first, ...later] = meanwhile;
            if (first) apply([first]);
            const slices: StoredSlice[] = [];
            const parts: Uint8Array[] = [Buffer.from('start')];
            for (const { offsets, ends, bytes } of captured.slices) {
              slices.push({ offsets, ends, position: parts.reduce((sum, { length }) => sum + length, 0) });
              parts.push(Buffer.from(bytes));
            }
            apply(later);
            if (!fails && slices.length > 0) {
              const path = join(folder, String(files++));
              writeFileSync(path, Buffer.concat(parts));
              captured.moveTo(new PayloadFile(path), slices);
            }
            captured.release();
            check();
          }
          store.close();
        }),
        { numRuns: 60 },
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('returns complete payloads and parts of them after any changes', () => {
    const change = fc.tuple(fc.nat({ max: 20 }), fc.option(payload, { nil: undefined }));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), fc.array(key, { maxLength: 4 }), (changes, keys) => {
        const store = new PayloadStore();
        const expected = new Map<number, JsonObject>();
        for (const [offset, stored] of changes) {
          if (stored) store.set(offset, stored);
          else store.delete(offset);
          if (stored) expected.set(offset, stored);
          else expected.delete(offset);
        }
        const pick = store.createPicker(keys);
        for (let offset = 0; offset <= 20; offset++) {
          const stored = expected.get(offset) ?? {};
          expect(store.has(offset)).toBe(expected.has(offset));
          expect(store.text(offset)).toBe(JSON.stringify(stored));
          expect(textOf((to) => store.write(offset, to))).toBe(JSON.stringify(stored));
          expect(textOf((to) => pick(offset, to))).toBe(picked(stored, keys));
          for (const name of keys)
            expect(JSON.stringify(store.createReader(name)(offset))).toBe(picked(stored, [name]));
        }
      }),
    );
  });

  it('keeps large payloads, many keys and the order of fields when memory is reclaimed', () => {
    const store = new PayloadStore();
    const large = (round: number, i: number) => ({ text: 'x'.repeat((i % 5) * 90_000), [`key ${i}`]: round, i });
    for (let round = 0; round < 4; round++) for (let i = 0; i < 200; i++) store.set(i, large(round, i));
    const pick = store.createPicker(['i', 'key 199']);
    for (let i = 0; i < 200; i++) expect(store.text(i)).toBe(JSON.stringify(large(3, i)));
    expect(textOf((to) => pick(7, to))).toBe('{"i":7}');
    expect(textOf((to) => pick(199, to))).toBe('{"key 199":3,"i":199}');
  });
});
