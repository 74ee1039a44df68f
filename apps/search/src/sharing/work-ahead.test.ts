import { describe, expect, it } from '@jest/globals';
import { workAhead } from '#sharing/work-ahead';

/** Work that notes what it was done with. */
function createWork() {
  const done: string[] = [];
  return {
    done,
    work: async (answer: string) => {
      done.push(answer);
      if (answer === 'bad') throw new Error('cannot be worked with');
      return `by ${answer}`;
    },
  };
}

describe('work ahead', () => {
  it('begins by the last answer and stands where the new one is the same', async () => {
    const { done, work } = createWork();
    const ahead = workAhead<string>(2);
    expect(await ahead('a', async () => 'one', work)).toBe('by one');
    const asked = Promise.withResolvers<string>();
    const result = ahead('a', () => asked.promise, work);
    expect(done).toEqual(['one', 'one']);
    asked.resolve('one');
    expect(await result).toBe('by one');
    expect(done).toHaveLength(2);
  });

  it('is done again where the answer has changed', async () => {
    const { done, work } = createWork();
    const ahead = workAhead<string>(2);
    await ahead('a', async () => 'one', work);
    expect(await ahead('a', async () => 'two', work)).toBe('by two');
    expect(done).toEqual(['one', 'one', 'two']);
    expect(await ahead('a', async () => 'two', work)).toBe('by two');
    expect(done).toEqual(['one', 'one', 'two', 'two']);
  });

  it('gives nothing of what was begun where the answer is a refusal, and does not begin again by it', async () => {
    const { done, work } = createWork();
    const ahead = workAhead<string>(2);
    await ahead('a', async () => 'one', work);
    const refuse = async () => Promise.reject(new Error('deleted'));
    await expect(ahead('a', refuse, work)).rejects.toThrow('deleted');
    await expect(ahead('a', refuse, work)).rejects.toThrow('deleted');
    expect(done).toEqual(['one', 'one']);
  });

  it('fails as the work does, but not by work that does not count', async () => {
    const { work } = createWork();
    const ahead = workAhead<string>(2);
    let answer = 'one';
    const ask = async () => answer;
    await ahead('a', ask, work);
    answer = 'bad';
    await expect(ahead('a', ask, work)).rejects.toThrow('cannot be worked with');
    answer = 'two';
    expect(await ahead('a', ask, work)).toBe('by two');
  });

  it('remembers no more than it may, and keeps questions apart', async () => {
    const { done, work } = createWork();
    const ahead = workAhead<string>(2);
    for (const key of ['a', 'b', 'c', 'a']) await ahead(key, async () => key, work);
    expect(done).toEqual(['a', 'b', 'c', 'a']);
    await ahead('c', async () => 'c', work);
    expect(done).toEqual(['a', 'b', 'c', 'a', 'c']);
  });
});
