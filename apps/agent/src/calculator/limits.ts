/** Limits of one expression. They bound time and memory for any input. */
export const CALCULATOR_LIMITS = {
  /** The length of the expression, in UTF-16 code units. */
  length: 1_000,
  /** The maximum nesting of parentheses, calls, signs and powers. */
  depth: 60,
  /**
   * The total cost of all operations, in points. A basic operation costs one; see `functions.ts`
   * for others.
   */
  cost: 600,
  /** The largest n in n!. */
  factorial: 1_000,
  /** The largest angle, in radians. Beyond it, reducing the angle would lose digits. */
  angle: 1e9,
} as const;
