/** Counts the streams that each pair has open on this replica. */
export interface StreamSlots {
  /** Takes a slot; false where the pair has as many as it may. */
  open(pairId: string): boolean;
  close(pairId: string): void;
}

export function createStreamSlots(max: number): StreamSlots {
  const open = new Map<string, number>();
  return {
    open: (pairId) => {
      const count = open.get(pairId) ?? 0;
      if (count >= max) return false;
      open.set(pairId, count + 1);
      return true;
    },
    close: (pairId) => {
      const count = (open.get(pairId) ?? 0) - 1;
      if (count > 0) open.set(pairId, count);
      else open.delete(pairId);
    },
  };
}
