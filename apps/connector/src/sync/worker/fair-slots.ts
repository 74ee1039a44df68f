/** The right to read and parse one item. */
export interface Slot {
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
 * Allows `total` items at a time and at most `perConnector` of one connector. Waiting connectors
 * take turns, so that neither a slow source nor a large job delays the others.
 */
export function createFairSlots({
  total,
  perConnector,
}: {
  readonly total: number;
  readonly perConnector: number;
}): FairSlots {
  const busy = new Map<string, number>();
  // In the order of turns: a connector that got a slot moves to the end.
  const waiting = new Map<string, ((slot: Slot | undefined) => void)[]>();
  let taken = 0;
  let isClosed = false;

  const busyOf = (connectorId: string) => busy.get(connectorId) ?? 0;
  const take = (connectorId: string): Slot => {
    taken += 1;
    busy.set(connectorId, busyOf(connectorId) + 1);
    let isReleased = false;
    return {
      release: () => {
        if (isReleased) return;
        isReleased = true;
        taken -= 1;
        if (busyOf(connectorId) === 1) busy.delete(connectorId);
        else busy.set(connectorId, busyOf(connectorId) - 1);
        serve();
      },
    };
  };
  const serve = () => {
    for (const [connectorId, queue] of [...waiting]) {
      if (taken >= total) return;
      if (busyOf(connectorId) >= perConnector) continue;
      const next = queue.shift();
      waiting.delete(connectorId);
      if (queue.length > 0) waiting.set(connectorId, queue);
      next?.(take(connectorId));
    }
  };

  return {
    acquire: (connectorId) => {
      if (isClosed) return Promise.resolve(undefined);
      if (taken < total && busyOf(connectorId) < perConnector && !waiting.has(connectorId)) {
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
