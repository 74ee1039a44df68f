import { describe, expect, it } from '@jest/globals';
import { analyzePassage } from '#analyze-passage';
import { learnLsi } from '#lsi/learn-lsi';
import { lsiToBytes } from '#lsi/lsi-bytes';
import { createLsiEncoderCache } from '#lsi/lsi-encoder-cache';
import { LsiSample } from '#lsi/lsi-sample';
import { topicPassages } from '#lsi/topic-corpus.test-support';
import { createSparseEncoder } from '#sparse/sparse-encoder';

const sample = new LsiSample();
for (const text of topicPassages(60))
  sample.add({ text, sparse: createSparseEncoder().encodeDocument(analyzePassage({ text })) });
const bytes = lsiToBytes(learnLsi(sample));

const cacheOf = (spaces: number) => {
  const loaded: string[] = [];
  const cache = createLsiEncoderCache({ maxBytes: bytes.length * spaces });
  const get = (space: string) =>
    cache.get(space, async () => {
      loaded.push(space);
      if (space === 'gone') throw new Error('gone');
      return bytes;
    });
  return { loaded, get };
};

describe('createLsiEncoderCache', () => {
  it('loads a space once for concurrent calls', async () => {
    const { loaded, get } = cacheOf(2);
    const [first, second] = await Promise.all([get('a'), get('a')]);
    expect(first).toBe(second);
    expect(await get('a')).toBe(first);
    expect(loaded).toEqual(['a']);
  });

  it('drops the least recently used space when it is full', async () => {
    const { loaded, get } = cacheOf(2);
    for (const space of ['a', 'b', 'a', 'c', 'a', 'b']) await get(space);
    expect(loaded).toEqual(['a', 'b', 'c', 'b']);
  });

  it('keeps one space of any size', async () => {
    const { loaded, get } = cacheOf(0);
    for (const space of ['a', 'a', 'b', 'b']) await get(space);
    expect(loaded).toEqual(['a', 'b']);
  });

  it('loads again after a failure', async () => {
    const { loaded, get } = cacheOf(2);
    await expect(get('gone')).rejects.toThrow('gone');
    await expect(get('gone')).rejects.toThrow('gone');
    expect(loaded).toEqual(['gone', 'gone']);
  });
});
