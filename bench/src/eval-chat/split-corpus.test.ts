import { describe, expect, it } from '@jest/globals';
import { halfOf, halfWithout } from '#eval-chat/halves';
import { containsAnswer } from '#eval-chat/read-answers';
import { splitCorpus } from '#eval-chat/split-corpus';

describe('halfWithout', () => {
  it('returns the half without the documents, or undefined if both have some', () => {
    const ids = Array.from({ length: 40 }, (_, at) => `document ${at}`);
    const first = ids.find((id) => halfOf(id) === 0) ?? '';
    const second = ids.find((id) => halfOf(id) === 1) ?? '';
    expect(halfWithout([first])).toBe(1);
    expect(halfWithout([second])).toBe(0);
    expect(halfWithout([first, second])).toBeUndefined();
  });
});

describe('splitCorpus', () => {
  const documents = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `${at}`, title: '', text: '' }));

  it('excludes exactly the answering documents of a small corpus', () => {
    const { parts, without } = splitCorpus(documents(3));
    expect(parts.map(([one]) => one?.id)).toEqual(['0', '1', '2']);
    expect(without(['1'])).toEqual([0, 2]);
    expect(without(['0', '1', '2'])).toBeUndefined();
  });

  it('splits a large corpus into two halves', () => {
    const { parts, without } = splitCorpus(documents(100));
    expect(parts.map(({ length }) => length).reduce((a, b) => a + b)).toBe(100);
    expect(without(['1'])).toEqual([1 - halfOf('1')]);
  });
});

describe('containsAnswer', () => {
  it('ignores case and line breaks', () => {
    expect(containsAnswer('It was  signed\nin Paris.', ['Signed in paris'])).toBe(true);
    expect(containsAnswer('It was signed in Paris.', ['London'])).toBe(false);
  });
});
