/** Rows that one statement deletes. */
export const BATCH = 1_000;

/** The next pass deletes what is left, so that one table does not keep the others waiting. */
const MAX_BATCHES = 100;

/** Repeats a statement until it deletes fewer rows than a batch. */
export async function inBatches(remove: () => Promise<number>, signal?: AbortSignal): Promise<void> {
  for (let done = 0; done < MAX_BATCHES && !signal?.aborted; done += 1) {
    if ((await remove()) < BATCH) return;
  }
}
