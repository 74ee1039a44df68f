const smallestScaled = 1e-4;
const largestScaled = 1e9;
const powersOfTen = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * Returns the double whose shortest decimal form is that of a 32-bit float: 0.10000000149011612
 * becomes 0.1. Qdrant prints 32-bit vectors and scores in this way. Nine digits always suffice
 * (IEEE 754 binary32).
 */
export function shortestFloat32(value: number): number {
  const single = Math.fround(value);
  if (Number.isInteger(single)) return single;
  const magnitude = Math.abs(single);
  if (!(magnitude >= smallestScaled && magnitude < largestScaled)) return shortestByText(single);
  const wholeDigits = Math.floor(Math.log10(magnitude)) + 1;
  for (let digits = 6; digits <= 9; digits++) {
    // At most 12 decimals: 24 bits times 5^12 is exact in a double, and so is its half-up rounding.
    // The quotient of two exact numbers is the double nearest to the decimal fraction.
    const decimals = digits - wholeDigits;
    if (decimals < 0) continue;
    const power = powersOfTen[decimals] ?? 1;
    const candidate = Math.round(magnitude * power) / power;
    if (Math.fround(candidate) === magnitude) return single < 0 ? -candidate : candidate;
  }
  return shortestByText(single);
}

/** Returns the same by formatting and parsing, for any magnitude. */
export function shortestByText(single: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(single.toPrecision(digits));
    if (Math.fround(candidate) === single) return candidate;
  }
  return Number(single.toPrecision(9));
}
