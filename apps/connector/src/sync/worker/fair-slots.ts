/** The right to read and parse one item. */
export interface Slot {
  /**
   * Lets another item use the slot while this one waits for text recognition. Only some items can do
   * so without counting toward the limits. Can be called again without effect.
   */
  park(): void;
  /** Can be called again without effect. */
  release(): void;
}

export interface FairSlots {
  /** Waits for a slot. Returns undefined once the slots are closed. */
  acquire(connectorId: string): Promise<Slot | undefined>;
  /** Resolves all current and future waits with undefined. */
  close(): void;
}

/**
 * Allows `total` items at a time and at most `perConnector` of one connector. Of the parked items,
 * `parkedTotal` do not count, and `parkedPerConnector` of one connector. Waiting connectors take
 * turns, so that neither a slow source nor a large job delays the others.
 */
export function createFairSlots({
  total,
  perConnector,
  parkedTotal = 0,
  parkedPerConnector = 0,
}: {
  readonly total: number;
  readonly perConnector: number;
  readonly parkedTotal?: number;
  readonly parkedPerConnector?: number;
}): FairSlots {
  const busy = new Map<string, number>();
  const parked = new Map<string, number>();
  // In the order of turns: a connector that got a slot moves to the end.
  const waiting = new Map<string, ((slot: Slot | undefined) => void)[]>();
  let busyCount = 0;
  let parkedCount = 0;
  let isClosed = false;

  const countOf = (counts: Map<string, number>, connectorId: string) => counts.get(connectorId) ?? 0;
  const add = (counts: Map<string, number>, connectorId: string, change: 1 | -1) => {
    const count = countOf(counts, connectorId) + change;
    if (count === 0) counts.delete(connectorId);
    else counts.set(connectorId, count);
  };
  const addBusy = (connectorId: string, change: 1 | -1) => {
    busyCount += change;
    add(busy, connectorId, change);
  };
  const addParked = (connectorId: string, change: 1 | -1) => {
    parkedCount += change;
    add(parked, connectorId, change);
  };
  const excess = (count: number, limit: number) => Math.max(0, count - limit);
  const hasFree = () => busyCount + excess(parkedCount, parkedTotal) < total;
  const hasFreeOf = (connectorId: string) =>
    countOf(busy, connectorId) + excess(countOf(parked, connectorId), parkedPerConnector) < perConnector;
  const take = (connectorId: string): Slot => {
    addBusy(connectorId, 1);
    let state: 'busy' | 'parked' | 'released' = 'busy';
    return {
      park: () => {
        if (state !== 'busy') return;
        state = 'parked';
        addBusy(connectorId, -1);
        addParked(connectorId, 1);
        serve();
      },
      release: () => {
        if (state === 'released') return;
        (state === 'busy' ? addBusy : addParked)(connectorId, -1);
        state = 'released';
        serve();
      },
    };
  };
  const serve = () => {
    for (const [connectorId, queue] of [...waiting]) {
      if (!hasFree()) return;
      if (!hasFreeOf(connectorId)) continue;
      const next = queue.shift();
      waiting.delete(connectorId);
      if (queue.length > 0) waiting.set(connectorId, queue);
      next?.(take(connectorId));
    }
  };

  return {
    acquire: (connectorId) => {
      if (isClosed) return Promise.resolve(undefined);
      if (hasFree() && hasFreeOf(connectorId) && !waiting.has(connectorId)) {
        return Promise.resolve(take(connectorId));
      }
      const { promise, resolve } = Promise.withResolvers<Slot | undefined>();
      const queue = waiting.get(connectorId);
      if (queue === undefined) waiting.set(connectorId, [resolve]);
      else queue.push(resolve);
      serve();
      return promise;
    },
    close: () => {
      isClosed = true;
      for (const queue of waiting.values()) for (const resolve of queue) resolve(undefined);
      waiting.clear();
    },
  };
}
