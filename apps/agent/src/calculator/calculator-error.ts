/** What is wrong with an expression, in words that whoever wrote it (a model too) can mend. */
export class CalculatorError extends Error {
  override readonly name = 'CalculatorError';
}
