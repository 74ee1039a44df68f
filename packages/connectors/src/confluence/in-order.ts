/** Results in the order of the items, with at most `atOnce` of them being made; ends with the first error. */
export async function* inOrder<T, U>(
  items: readonly T[],
  atOnce: number,
  make: (item: T) => Promise<U>,
): AsyncGenerator<U, void, void> {
  const pending: Promise<U>[] = [];
  let started = 0;
  for (let at = 0; at < items.length; at += 1) {
    for (const item of items.slice(started, at + atOnce)) {
      const result = make(item);
      // One that fails before its turn is reported at its turn, or never where an earlier one failed.
      result.catch(() => undefined);
      pending.push(result);
      started += 1;
    }
    const next = pending.shift();
    if (next !== undefined) yield await next;
  }
}
