import { describe, expect, it } from '@jest/globals';
import { createByteBudget } from '#byte-budget';

describe('createByteBudget', () => {
  it('runs what fits in order, and runs oversized work alone', async () => {
    const { within } = createByteBudget(10);
    const started: string[] = [];
    const ends = new Map<string, () => void>();
    const work = (name: string, bytes: number) =>
      within(bytes, async () => {
        started.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      });
    const all = [work('a', 4), work('b', 6), work('large', 50), work('c', 1)];
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(started).toEqual(['a', 'b']);
    ends.get('a')?.();
    await settle();
    expect(started).toEqual(['a', 'b']);
    ends.get('b')?.();
    await settle();
    expect(started).toEqual(['a', 'b', 'large']);
    ends.get('large')?.();
    await settle();
    ends.get('c')?.();
    expect(await Promise.all(all)).toEqual(['a', 'b', 'large', 'c']);
  });

  it('frees the place of work that is aborted while it waits', async () => {
    const { within } = createByteBudget(10);
    const { promise: end, resolve: endFirst } = Promise.withResolvers<void>();
    const first = within(6, () => end);
    const abort = new AbortController();
    const large = within(50, async () => 'large', abort.signal);
    const small = within(4, async () => 'small');
    const reason = new Error('cancelled');
    abort.abort(reason);
    await expect(large).rejects.toBe(reason);
    expect(await small).toBe('small');
    await expect(within(1, async () => 'late', abort.signal)).rejects.toBe(reason);
    endFirst();
    await first;
  });
});
