import { describe, expect, it } from '@jest/globals';
import { collectionName } from '#layout/collection-name';
import { pointId } from '#layout/point-id';

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
  it('is a UUIDv5 that never changes', () => {
    expect(pointId('doc_1', 1, 0)).toBe('376715f1-fbfc-5bcd-922a-f188bea42a15');
    expect(pointId('doc_1', 1, 0)).not.toBe(pointId('doc_1', 1, 1));
  });
});
