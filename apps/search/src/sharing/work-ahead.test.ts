import { describe, expect, it } from '@jest/globals';
import { workAhead } from '#sharing/work-ahead';

/** Work that records its input. */
function createWork() {
  const done: string[] = [];
  return {
    done,
    work: async (answer: string) => {
      done.push(answer);
      if (answer === 'bad') throw new Error('broken work');
      return `by ${answer}`;
    },
  };
}

describe('workAhead', () => {
  it('starts with the last answer and keeps the result if the current answer is the same', async () => {
    const { done, work } = createWork();
    const ahead = workAhead<string>(2);
    expect(await ahead('a', async () => 'one', work)).toBe('by one');
    const loading = Promise.withResolvers<string>();
    const result = ahead('a', () => loading.promise, work);
    expect(done).toEqual(['one', 'one']);
    loading.resolve('one');
    expect(await result).toBe('by one');
    expect(done).toHaveLength(2);
  });

  it('runs the work again if the answer has changed', async () => {
    const { done, work } = createWork();
    const ahead = workAhead<string>(2);
    await ahead('a', async () => 'one', work);
    expect(await ahead('a', async () => 'two', work)).toBe('by two');
    expect(done).toEqual(['one', 'one', 'two']);
    expect(await ahead('a', async () => 'two', work)).toBe('by two');
    expect(done).toEqual(['one', 'one', 'two', 'two']);
  });

  it('discards the started work if loading fails, and drops the cached answer', async () => {
    const { done, work } = createWork();
    const ahead = workAhead<string>(2);
    await ahead('a', async () => 'one', work);
    const fail = async () => Promise.reject(new Error('deleted'));
    await expect(ahead('a', fail, work)).rejects.toThrow('deleted');
    await expect(ahead('a', fail, work)).rejects.toThrow('deleted');
    expect(done).toEqual(['one', 'one']);
  });

  it('rejects with the error of the work, but not of discarded work', async () => {
    const { work } = createWork();
    const ahead = workAhead<string>(2);
    let answer = 'one';
    const ask = async () => answer;
    await ahead('a', ask, work);
    answer = 'bad';
    await expect(ahead('a', ask, work)).rejects.toThrow('broken work');
    answer = 'two';
    expect(await ahead('a', ask, work)).toBe('by two');
  });

  it('limits the cached results and caches each key separately', async () => {
    const { done, work } = createWork();
    const ahead = workAhead<string>(2);
    for (const key of ['a', 'b', 'c', 'a']) await ahead(key, async () => key, work);
    expect(done).toEqual(['a', 'b', 'c', 'a']);
    await ahead('c', async () => 'c', work);
    expect(done).toEqual(['a', 'b', 'c', 'a', 'c']);
  });
});
