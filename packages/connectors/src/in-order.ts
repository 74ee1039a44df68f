/**
 * Yields results in the order of the items, with at most `concurrency` in progress; ends with the
 * first error.
 */
export async function* inOrder<T, U>(
  items: readonly T[],
  concurrency: number,
  make: (item: T) => Promise<U>,
): AsyncGenerator<U, void, void> {
  const pending: Promise<U>[] = [];
  let started = 0;
  for (let at = 0; at < items.length; at += 1) {
    for (const item of items.slice(started, at + concurrency)) {
      const result = make(item);
      // A failure is reported when it is the item's turn, or never if an earlier item failed.
      result.catch(() => undefined);
      pending.push(result);
      started += 1;
    }
    const next = pending.shift();
    if (next !== undefined) yield await next;
  }
}
