/** Limits the memory for data: many small pieces at a time, or one large one. */
export interface ByteBudget {
  /**
   * Runs `work` as soon as its bytes fit into the budget, in order of arrival. Rejects with the
   * signal's reason if it is aborted before the work starts.
   */
  within<T>(bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
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
    async within(bytes, work, signal) {
      signal?.throwIfAborted();
      const { promise: admitted, resolve: start, reject } = Promise.withResolvers<void>();
      const place = { bytes, start };
      const onAbort = () => {
        const at = waiting.indexOf(place);
        if (at === -1) return;
        waiting.splice(at, 1);
        reject(signal?.reason);
        admit();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(place);
      admit();
      await admitted.finally(() => signal?.removeEventListener('abort', onAbort));
      try {
        return await work();
      } finally {
        used -= bytes;
        admit();
      }
    },
  };
}
