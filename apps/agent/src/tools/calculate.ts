import { z } from 'zod';
import { CalculatorError } from '#calculator/calculator-error';
import { evaluate } from '#calculator/evaluate';
import { formatNumber } from '#calculator/format-number';
import { defineTool, toolError } from '#tools/tool';

/** Exact arithmetic. */
export const calculate = defineTool({
  name: 'calculate',
  description:
    'Calculates an arithmetic expression exactly. Operators + - * / ^ mod % (15% of 80; 80 + 15%), n!, parentheses; functions like sqrt, round(x, digits), ln, log(x, base), sin (radians), min, max, sum, mean, median, stdev; constants pi, e. No units, no variables.',
  input: z.strictObject({ expression: z.string().describe('For example: round(1250 * (1 + 3%)^5, 2)') }),
  run: async (_ctx, _call, { expression }) => {
    try {
      const result = formatNumber(evaluate(expression));
      return { content: `${expression} = ${result}`, isError: false, summary: { result } };
    } catch (error) {
      if (error instanceof CalculatorError) return toolError(error.message);
      throw error;
    }
  },
});
