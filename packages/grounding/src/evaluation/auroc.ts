/**
 * Returns the area under the ROC curve: the probability that a value of `higher` is above a value
 * of `lower`, with ties counting half (Mann–Whitney U / number of pairs). NaN if either is empty.
 */
export function auroc(higher: readonly number[], lower: readonly number[]): number {
  const all = [...higher.map((value) => ({ value, up: true })), ...lower.map((value) => ({ value, up: false }))];
  const byValue = Map.groupBy(all, ({ value }) => value);
  let below = 0;
  let pairs = 0;
  for (const [, equals] of [...byValue].sort(([a], [b]) => a - b)) {
    const up = equals.filter((entry) => entry.up).length;
    const down = equals.length - up;
    pairs += up * (below + down / 2);
    below += down;
  }
  return pairs / (higher.length * lower.length);
}
