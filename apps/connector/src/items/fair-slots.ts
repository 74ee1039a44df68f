/** The right to work one item. */
export interface Slot {
  release(): void;
}

export interface FairSlots {
  /** Waits for a turn. Undefined once the slots are closed: nothing more is begun. */
  acquire(connectorId: string): Promise<Slot | undefined>;
  /** Turns away whoever waits or comes. */
  close(): void;
}

/**
 * Lets `total` items be worked at once, at most `each` of one connector, and takes turns among the connectors that wait: a slow source holds up
 * its own items alone, and a large job does not go before a small one.
 */
export function createFairSlots({ total, each }: { readonly total: number; readonly each: number }): FairSlots {
  const busy = new Map<string, number>();
  // In the order of turns: a connector that was served goes to the end.
  const waiting = new Map<string, ((slot: Slot | undefined) => void)[]>();
  let taken = 0;
  let closed = false;

  const busyOf = (connectorId: string) => busy.get(connectorId) ?? 0;
  const take = (connectorId: string): Slot => {
    taken += 1;
    busy.set(connectorId, busyOf(connectorId) + 1);
    let held = true;
    return {
      release: () => {
        if (!held) return;
        held = false;
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
      if (busyOf(connectorId) >= each) continue;
      const next = queue.shift();
      waiting.delete(connectorId);
      if (queue.length > 0) waiting.set(connectorId, queue);
      next?.(take(connectorId));
    }
  };

  return {
    acquire: (connectorId) => {
      if (closed) return Promise.resolve(undefined);
      if (taken < total && busyOf(connectorId) < each && !waiting.has(connectorId)) {
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
      closed = true;
      for (const queue of waiting.values()) for (const turnAway of queue) turnAway(undefined);
      waiting.clear();
    },
  };
}
