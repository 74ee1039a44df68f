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

  it('gives the slots of parked items to others, up to a number in total and per connector', async () => {
    const slots = createFairSlots({ total: 2, perConnector: 2, parkedTotal: 2, parkedPerConnector: 1 });
    const take = async (connector: string): Promise<Slot> => {
      const slot = await slots.acquire(connector);
      if (slot === undefined) throw new Error('The slots are closed.');
      return slot;
    };
    const blocked: string[] = [];
    const ask = async (connector: string) => {
      blocked.push(connector);
      await slots.acquire(connector);
      blocked.splice(blocked.indexOf(connector), 1);
    };
    const scans = [await take('scans'), await take('scans')] as const;
    for (const scan of scans) scan.park();
    // One scan does not count for its connector, so it can have one more item.
    const note = await take('scans');
    const other = await take('other');
    other.park();
    // Of three parked items, two do not count in total.
    const asked = [ask('scans'), ask('third')];
    await Promise.resolve();
    expect(blocked).toEqual(['scans', 'third']);
    scans[0].release();
    await Promise.race(asked);
    expect(blocked).toHaveLength(1);
    slots.close();
    note.release();
    await Promise.all(asked);
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
