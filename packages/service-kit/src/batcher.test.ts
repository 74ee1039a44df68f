import { describe, expect, it } from '@jest/globals';
import { createBatcher } from '#batcher';
import { AppError } from '#errors/app-error';

/** Work that records its batches and ends when released. */
function controlled(maxWeight: number, fails: (items: readonly number[]) => unknown = () => undefined) {
  const batches: (readonly number[])[] = [];
  const doubled = createBatcher<number, number>({
    maxWeight,
    weightOf: (item) => item,
    work: async (items) => {
      batches.push(items);
      await new Promise((resolve) => setImmediate(resolve));
      const error = fails(items);
      if (error !== undefined) throw error;
      return items.map((item) => item * 2);
    },
  });
  return { batches, doubled };
}

describe('createBatcher', () => {
  it('processes simultaneous items in one batch and returns each its own result', async () => {
    const { batches, doubled } = controlled(100);
    expect(await Promise.all([1, 2, 3].map(doubled))).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1, 2, 3]]);
    expect(await doubled(4)).toBe(8);
    expect(batches).toEqual([[1, 2, 3], [4]]);
  });

  it('collects items during a batch up to the maximum weight; a heavier item gets its own batch', async () => {
    const { batches, doubled } = controlled(10);
    const first = doubled(1);
    await Promise.resolve();
    await Promise.resolve();
    const rest = [6, 3, 2, 50, 4].map(doubled);
    expect(await Promise.all([first, ...rest])).toEqual([2, 12, 6, 4, 100, 8]);
    expect(batches).toEqual([[1], [6, 3], [2], [50], [4]]);
  });

  it('fails only the item that makes a batch fail', async () => {
    const { doubled } = controlled(100, (items) => (items.includes(2) ? new Error('two') : undefined));
    const settled = await Promise.allSettled([1, 2, 3].map(doubled));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fails all items if a dependency is unavailable', async () => {
    const { batches, doubled } = controlled(100, () => new AppError('unavailable', 'gone'));
    const settled = await Promise.allSettled([1, 2, 3].map(doubled));
    expect(settled.every(({ status }) => status === 'rejected')).toBe(true);
    expect(batches).toHaveLength(1);
  });
});
