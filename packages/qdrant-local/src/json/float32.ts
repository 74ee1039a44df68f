/**
 * The double whose shortest text is the shortest text of a 32-bit float: 0.10000000149011612 becomes 0.1.
 * Qdrant prints its 32-bit vectors and scores that way. Nine digits always suffice (IEEE 754 binary32).
 */
export function shortestFloat32(value: number): number {
  const single = Math.fround(value);
  if (Number.isInteger(single)) return single;
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(single.toPrecision(digits));
    if (Math.fround(candidate) === single) return candidate;
  }
  return Number(single.toPrecision(9));
}
