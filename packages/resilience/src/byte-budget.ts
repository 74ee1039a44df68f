/** Limits the memory for data: many small pieces at a time, or one large one. */
export interface ByteBudget {
  /** Runs `work` as soon as its bytes fit into the budget, in order of arrival. */
  within<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

/** Creates a budget. Work that exceeds it runs alone. */
export function createByteBudget(maxBytes: number): ByteBudget {
  const waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  let used = 0;

  function admit(): void {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      if (used > 0 && used + next.bytes > maxBytes) return;
      used += next.bytes;
      waiting.shift();
      next.start();
    }
  }

  return {
    async within(bytes, work) {
      await new Promise<void>((start) => {
        waiting.push({ bytes, start });
        admit();
      });
      try {
        return await work();
      } finally {
        used -= bytes;
        admit();
      }
    },
  };
}
