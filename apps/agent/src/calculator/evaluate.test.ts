import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CalculatorError } from '#calculator/calculator-error';
import { evaluate } from '#calculator/evaluate';
import { formatNumber } from '#calculator/format-number';

const result = (expression: string) => formatNumber(evaluate(expression));

describe('the calculator', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['1_000_000 * 3', '3000000'],
    ['2 + 3 * 4', '14'],
    ['(2 + 3) × 4', '20'],
    ['2 ^ 3 ^ 2', '512'],
    ['-2^2', '-4'],
    ['2^-1', '0.5'],
    ['2 ** 10', '1024'],
    ['10 / 4', '2.5'],
    ['1 / 3 * 3', '1'],
    ['-7 mod 3', '2'],
    ['15% of 80', '12'],
    ['80 + 15%', '92'],
    ['80 - 25%', '60'],
    ['5% + 10%', '0.15'],
    ['200 * 10%', '20'],
    ['(1 + 5%)^2', '1.1025'],
    ['sqrt(2)', '1.4142135623731'],
    ['round(2.345, 2)', '2.35'],
    ['round(1250, -2)', '1300'],
    ['max(1, 2 * 3, 4)', '6'],
    ['mean(1, 2, 3, 4)', '2.5'],
    ['median(3, 1, 2)', '2'],
    ['stdev(2, 4, 4, 4, 5, 5, 7, 9)', '2.1380899352994'],
    ['gcd(84, 36)', '12'],
    ['5!', '120'],
    ['20!', '2432902008176640000'],
    ['sin(pi / 2)', '1'],
    ['log(1000)', '3'],
    ['log(8, 2)', '3'],
    ['ln(e)', '1'],
    ['1.5e3', '1500'],
    ['.5', '0.5'],
    ['√(16)', '4'],
    ['0 * -1', '0'],
    ['2^200', '1.606938044258990275541962092341163e+60'],
  ])('evaluates %s to %s', (expression, expected) => {
    expect(result(expression)).toBe(expected);
  });

  it.each([
    ['', 'empty'],
    ['2 +', 'ends too early'],
    ['2 3', '"3" at position 3'],
    ['1 / 0', 'Division by zero'],
    ['5 mod 0', 'Division by zero'],
    ['0 ^ -1', 'Division by zero'],
    ['sqrt(-1)', 'not a real number'],
    ['(-8) ^ 0.5', 'fractional power'],
    ['9 ^ 9 ^ 9 ^ 9', 'too large'],
    ['2.5!', 'whole number'],
    ['5000!', 'from 0 to 1000'],
    ['max()', 'unexpected'],
    ['round(1, 2, 3)', 'takes 1 to 2 values'],
    ['process(1)', 'is unknown'],
    ['constructor(1)', 'is unknown'],
    ['2; 3', 'not a valid character'],
    ['sin(1e20)', 'too large'],
    ['('.repeat(200), 'nested too deeply'],
    ['1+'.repeat(400), 'ends too early'],
    [`${'1!+'.repeat(100)}1`, 'too many operations'],
    ['1'.repeat(1_001), 'longer than'],
  ])('rejects %s', (expression, message) => {
    expect(() => evaluate(expression)).toThrow(message);
  });

  it('adds as many numbers as fit into an expression', () => {
    expect(result(`${'1+'.repeat(499)}1`)).toBe('500');
  });

  it('returns a finite number or an error for any text', () => {
    const piece = fc.constantFrom(
      ...['1', '0', '9.9', '1e999', '.', 'e', 'pi', '+', '-', '*', '/', '^', '%', '!', '(', ')', ',', ' mod ', ' of '],
      ...['sqrt(', 'ln(', 'exp(', 'tan(', 'log(', 'round(', 'gcd(', 'pow(', 'mean(', 'atan('],
    );
    const expression = fc.oneof(
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
      fc.string(),
    );
    fc.assert(
      fc.property(expression, (text) => {
        try {
          expect(evaluate(text).isFinite()).toBe(true);
        } catch (error) {
          if (!(error instanceof CalculatorError)) throw error;
        }
      }),
      { numRuns: 5_000 },
    );
  });
});
