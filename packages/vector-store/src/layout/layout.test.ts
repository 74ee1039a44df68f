import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { collectionName } from '#layout/collection-name';
import { documentKey, formerPointId, keyOf, pointId, siblingOf, versionOf } from '#layout/point-id';

describe('collectionName', () => {
  it('keeps plain model names and makes changed names unique', () => {
    expect(collectionName('lectern_', 'builtin-hash-512')).toBe('lectern_builtin-hash-512');
    const names = ['openai/text-embedding-3-small', 'openai:text-embedding-3-small', 'OpenAI/Text-Embedding-3-Small'];
    expect(new Set(names.map((name) => collectionName('lectern_', name))).size).toBe(3);
    expect(collectionName('p_', 'openai/text-embedding-3-small')).toMatch(
      /^p_openai-text-embedding-3-small-[0-9a-f]{8}$/,
    );
  });
});

describe('pointId', () => {
  it('never changes', () => {
    expect(pointId('doc_1', 1, 0)).toBe('4ba787a9-06b4-8f7c-9804-000001000000');
    expect(formerPointId('doc_1', 1, 0)).toBe('376715f1-fbfc-5bcd-922a-f188bea42a15');
  });

  it('is a UUIDv8 that contains document, version and chunk', () => {
    const number = fc.integer({ min: 0, max: 0xff_ff_ff });
    fc.assert(
      fc.property(fc.string(), number, number, number, (document, version, chunk, other) => {
        const id = pointId(document, version, chunk);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(keyOf(id)).toBe(documentKey(document));
        expect(versionOf(id)).toBe(version);
        expect(siblingOf(id, other)).toBe(pointId(document, version, other));
        expect(keyOf(formerPointId(document, version, chunk))).toBeUndefined();
      }),
    );
  });

  it('differs between documents', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        expect(documentKey(one) === documentKey(other)).toBe(one === other);
      }),
    );
  });

  it.each([
    [-1, 0],
    [0.5, 0],
    [1, 0x1_00_00_00],
  ])('rejects the version %s with the chunk %s', (version, chunk) => {
    expect(() => pointId('doc_1', version, chunk)).toThrow(RangeError);
  });
});
