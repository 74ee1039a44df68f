import { describe, expect, it } from '@jest/globals';
import { createFairSlots, type Slot } from './fair-slots.ts';

describe('fair slots', () => {
  it('leave room for another connector where one takes all it may', async () => {
    const slots = createFairSlots({ total: 3, each: 2 });
    const slow = await Promise.all([slots.acquire('slow'), slots.acquire('slow')]);
    let third: Slot | undefined;
    void slots.acquire('slow').then((slot) => {
      third = slot;
    });
    expect(await slots.acquire('quick')).toBeDefined();
    expect(third).toBeUndefined();
    slow[0]?.release();
    await Promise.resolve();
    expect(third).toBeDefined();
  });

  it('take turns among those that wait', async () => {
    const slots = createFairSlots({ total: 1, each: 1 });
    const held = await slots.acquire('large');
    const order: string[] = [];
    const work = async (connector: string) => {
      const slot = await slots.acquire(connector);
      order.push(connector);
      slot?.release();
    };
    const all = ['large', 'large', 'large', 'small'].map(work);
    held?.release();
    await Promise.all(all);
    expect(order).toEqual(['large', 'small', 'large', 'large']);
  });

  it('turn away whoever waits once they are closed', async () => {
    const slots = createFairSlots({ total: 1, each: 1 });
    const held = await slots.acquire('a');
    const waiting = slots.acquire('a');
    slots.close();
    expect(await waiting).toBeUndefined();
    expect(await slots.acquire('b')).toBeUndefined();
    held?.release();
  });
});
