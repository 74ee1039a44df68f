/** Counts the open streams of each pair on this replica. */
export interface StreamSlots {
  /** Takes a slot. Returns false at the limit. */
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
