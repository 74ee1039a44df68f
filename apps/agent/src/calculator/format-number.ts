import type { Num } from '#calculator/number';

// Digits beyond these accumulate the rounding errors of several operations.
const SHOWN_DIGITS = 15;

/**
 * Formats a result: fractions with up to 15 significant digits, whole numbers in full, with an
 * exponent beyond 24 digits.
 */
export function formatNumber(number: Num): string {
  const shown = number.isInteger() ? number : number.toSignificantDigits(SHOWN_DIGITS);
  return shown.isZero() ? '0' : shown.toString();
}
