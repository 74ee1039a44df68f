const smallestScaled = 1e-4;
const largestScaled = 1e9;
const powersOfTen = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** A decimal number: `digits` × 10^−`decimals`. */
interface Decimal {
  digits: number;
  decimals: number;
}

/**
 * Fills `result` with the shortest decimal form of a 32-bit float that is not negative and not an
 * integer. Returns false for magnitudes that need another method.
 */
export function toDecimal(single: number, result: Decimal): boolean {
  if (!(single >= smallestScaled && single < largestScaled)) return false;
  const wholeDigits = Math.floor(Math.log10(single)) + 1;
  for (let digits = 6; digits <= 9; digits++) {
    // At most 12 decimals: 24 bits times 5^12 is exact in a double, and so is its half-up rounding.
    // The quotient of two exact numbers is the double nearest to the decimal fraction.
    const decimals = digits - wholeDigits;
    if (decimals < 0) continue;
    const power = powersOfTen[decimals] ?? 1;
    const scaled = Math.round(single * power);
    if (Math.fround(scaled / power) !== single) continue;
    result.digits = scaled;
    result.decimals = decimals;
    return true;
  }
  return false;
}

const found: Decimal = { digits: 0, decimals: 0 };

/**
 * Returns the double whose shortest decimal form is that of a 32-bit float: 0.10000000149011612
 * becomes 0.1. Qdrant prints 32-bit vectors and scores in this way. Nine digits always suffice
 * (IEEE 754 binary32).
 */
export function shortestFloat32(value: number): number {
  const single = Math.fround(value);
  if (Number.isInteger(single)) return single;
  if (!toDecimal(Math.abs(single), found)) return shortestByText(single);
  const magnitude = found.digits / (powersOfTen[found.decimals] ?? 1);
  return single < 0 ? -magnitude : magnitude;
}

/** Returns the same by formatting and parsing, for any magnitude. */
export function shortestByText(single: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const candidate = Number(single.toPrecision(digits));
    if (Math.fround(candidate) === single) return candidate;
  }
  return Number(single.toPrecision(9));
}
