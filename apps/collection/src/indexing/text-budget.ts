/** Bytes of text that are worked on at once in a process, however many documents they belong to. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Keeps the memory that documents take within bounds: many small ones at once, or one large one. */
export interface TextBudget {
  /** Does `work` once there is room for a text of so many bytes. In order of arrival. */
  within<T>(bytes: number, work: () => Promise<T>): Promise<T>;
}

/** Makes the budget of a process. */
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
