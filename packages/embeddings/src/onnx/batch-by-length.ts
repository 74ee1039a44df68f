/** Limits of one run of a model. A longer text gets a batch of its own. */
export interface BatchLimits {
  readonly texts: number;
  /** Tokens including padding, which bounds the memory and the time of a run. */
  readonly tokens: number;
}

/**
 * Splits texts into batches of similar length, because the texts of a batch are padded to the
 * longest one. Returns the positions of the texts.
 */
export function batchByLength(lengths: readonly number[], { texts, tokens }: BatchLimits): number[][] {
  const shortestFirst = [...lengths.keys()].sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0));
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const at of shortestFirst) {
    const padded = (batch.length + 1) * (lengths[at] ?? 0);
    if (batch.length > 0 && (batch.length >= texts || padded > tokens)) {
      batches.push(batch);
      batch = [];
    }
    batch.push(at);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
