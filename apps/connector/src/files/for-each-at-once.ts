/** Few enough not to be throttled for. */
const AT_ONCE = 4;

/** Does work on each of the things, some at once; after a failure it begins none anew. */
export async function forEachAtOnce<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  const rest = [...things];
  const worker = async () => {
    for (let thing = rest.shift(); thing !== undefined; thing = rest.shift()) {
      try {
        await work(thing);
      } catch (error) {
        rest.length = 0;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}
