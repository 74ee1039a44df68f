/** Runs at most `most` functions at a time; the others wait, in order. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // Passes the slot directly to the next function, so that a new call cannot take it first.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
