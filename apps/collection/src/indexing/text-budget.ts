/** Bytes of text to process at the same time in a process, over all documents. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Limits the memory for documents: many small ones at a time, or one large one. */
export interface TextBudget {
  /** Runs `work` as soon as the text fits into the budget, in order of arrival. */
  within<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

export function createTextBudget(maxBytes: number = MAX_BYTES): TextBudget {
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
