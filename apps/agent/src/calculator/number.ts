import { Decimal } from 'decimal.js';

/**
 * Decimal numbers of 34 significant digits (those of IEEE 754 decimal128), from 1e-6143 to 1e+6144,
 * rounded half to even. Sums and products of amounts are exact: 0.1 + 0.2 is 0.3.
 */
export const Num: typeof Decimal = Decimal.clone({
  precision: 34,
  rounding: Decimal.ROUND_HALF_EVEN,
  minE: -6_143,
  maxE: 6_144,
  toExpNeg: -9,
  toExpPos: 24,
});

export type Num = Decimal;
