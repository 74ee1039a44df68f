import type { Num } from './number.ts';

// What a person reads as a number; the digits beyond are where roundings of a chain of operations gather.
const SHOWN_DIGITS = 15;

/** A result for a reader: up to 15 significant digits where it has a fraction, all of them where it is whole; an exponent beyond 24 digits. */
export function formatNumber(number: Num): string {
  const shown = number.isInteger() ? number : number.toSignificantDigits(SHOWN_DIGITS);
  return shown.isZero() ? '0' : shown.toString();
}
