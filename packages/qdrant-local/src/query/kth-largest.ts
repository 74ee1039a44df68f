let scratch = new Float32Array(1024);

/** Returns the k-th largest of the first `count` values (Hoare's selection). `k` is from 1 to `count`. */
export function kthLargest(values: Float32Array, count: number, k: number): number {
  if (scratch.length < count) scratch = new Float32Array(count * 2);
  const rest = scratch;
  rest.set(values.subarray(0, count));
  const wanted = k - 1;
  let from = 0;
  let to = count - 1;
  while (from < to) {
    const pivot = rest[(from + to) >> 1] ?? 0;
    let left = from;
    let right = to;
    while (left <= right) {
      while ((rest[left] ?? 0) > pivot) left += 1;
      while ((rest[right] ?? 0) < pivot) right -= 1;
      if (left > right) break;
      const value = rest[left] ?? 0;
      rest[left++] = rest[right] ?? 0;
      rest[right--] = value;
    }
    if (wanted <= right) to = right;
    else if (wanted >= left) from = left;
    else break;
  }
  return rest[wanted] ?? 0;
}
