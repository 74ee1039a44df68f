/** An invalid expression. The message helps its author, often a model, to correct it. */
export class CalculatorError extends Error {
  override readonly name = 'CalculatorError';
}
