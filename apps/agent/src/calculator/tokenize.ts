import { CalculatorError } from '#calculator/calculator-error';
import { CALCULATOR_LIMITS } from '#calculator/limits';

export type Token =
  | { readonly kind: 'number'; readonly text: string; readonly at: number }
  | { readonly kind: 'name'; readonly text: string; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'end'; readonly text: ''; readonly at: number };

// Underscores, thin spaces and no-break spaces can group digits. Commas cannot: they separate
// arguments.
const PIECE =
  /(?<space>[\s\u00a0\u202f\u2009]+)|(?<number>(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d{1,5}(?![\w.]))?)|(?<name>[A-Za-zπ√][A-Za-z0-9_]*)|(?<sign>\*\*|[-+*/^%!(),×÷·−])/uy;

const SAME_AS: Readonly<Record<string, string>> = { '**': '^', '×': '*', '·': '*', '÷': '/', '−': '-' };

/**
 * Splits an expression into tokens. Throws `CalculatorError` with the position of an invalid
 * character.
 */
export function tokenize(expression: string): Token[] {
  if (expression.length > CALCULATOR_LIMITS.length) {
    throw new CalculatorError(`The expression is longer than ${CALCULATOR_LIMITS.length} characters.`);
  }
  const tokens: Token[] = [];
  for (let at = 0; at < expression.length; ) {
    PIECE.lastIndex = at;
    const match = PIECE.exec(expression);
    if (match === null) {
      throw new CalculatorError(
        `"${String.fromCodePoint(expression.codePointAt(at) ?? 0)}" at position ${at + 1} is not a valid character.`,
      );
    }
    const { number, name, sign } = match.groups ?? {};
    if (number !== undefined) tokens.push({ kind: 'number', text: number.replaceAll('_', ''), at });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.toLowerCase(), at });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: SAME_AS[sign] ?? sign, at });
    at = PIECE.lastIndex;
  }
  tokens.push({ kind: 'end', text: '', at: expression.length });
  return tokens;
}
