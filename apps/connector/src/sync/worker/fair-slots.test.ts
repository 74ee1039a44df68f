import { describe, expect, it } from '@jest/globals';
import { createFairSlots, type Slot } from '#sync/worker/fair-slots';

describe('createFairSlots', () => {
  it('leaves room for another connector', async () => {
    const slots = createFairSlots({ total: 3, perConnector: 2 });
    const slow = await Promise.all([slots.acquire('slow'), slots.acquire('slow')]);
    let third: Slot | undefined;
    void slots.acquire('slow').then((slot) => {
      third = slot;
    });
    expect(await slots.acquire('fast')).toBeDefined();
    expect(third).toBeUndefined();
    slow[0]?.release();
    await Promise.resolve();
    expect(third).toBeDefined();
  });

  it('lets waiting connectors take turns', async () => {
    const slots = createFairSlots({ total: 1, perConnector: 1 });
    const slot = await slots.acquire('large');
    const order: string[] = [];
    const work = async (connector: string) => {
      const slot = await slots.acquire(connector);
      order.push(connector);
      slot?.release();
    };
    const all = ['large', 'large', 'large', 'small'].map(work);
    slot?.release();
    await Promise.all(all);
    expect(order).toEqual(['large', 'small', 'large', 'large']);
  });

  it('resolves waits with undefined once the slots are closed', async () => {
    const slots = createFairSlots({ total: 1, perConnector: 1 });
    const slot = await slots.acquire('a');
    const waiting = slots.acquire('a');
    slots.close();
    expect(await waiting).toBeUndefined();
    expect(await slots.acquire('b')).toBeUndefined();
    slot?.release();
  });
});
