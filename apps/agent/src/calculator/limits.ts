/** What one expression may cost: they bound time and memory on any input. */
export const CALCULATOR_LIMITS = {
  /** UTF-16 units of the expression. */
  length: 1_000,
  /** Parentheses, calls, signs and powers within each other. */
  depth: 60,
  /** Points for all operations; a plain one costs one, see `functions.ts` for the others. */
  cost: 600,
  /** The largest n in n!. */
  factorial: 1_000,
  /** The largest angle in radians; beyond it, its remainder by a turn would cost digits. */
  angle: 1e9,
} as const;
