import { CalculatorError } from '#calculator/calculator-error';
import { evaluate } from '#calculator/evaluate';

/** The value that a rule found in a question, and the rest of the question. */
export interface Found<Value> {
  readonly value: Value;
  readonly rest: string;
}

const NUMBER = String.raw`\d+(?:\.\d+)?%?`;
const NUMBERS = String.raw`${NUMBER}(?:\s*(?:,\s*and|,|and|und)\s*${NUMBER})+`;

/** Phrases and their expression for the calculator. Longer phrases come before their parts. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/(\d)[,'’](?=\d{3}(?!\d))/g, '$1'],
  [/\b(?:per\s?cent|percent|prozent)\b/gi, '%'],
  [/(\d)\s+%/g, '$1%'],
  [new RegExp(String.raw`\b(?:sum|total|summe)\s+(?:of|von)\s+(${NUMBERS})`, 'gi'), 'sum($1)'],
  [new RegExp(String.raw`\b(?:average|mean|durchschnitt|mittelwert)\s+(?:of|von)\s+(${NUMBERS})`, 'gi'), 'mean($1)'],
  [new RegExp(String.raw`\b(?:add|addiere)\s+(${NUMBERS})`, 'gi'), 'sum($1)'],
  [new RegExp(String.raw`\bproduct\s+of\s+(${NUMBER})\s+and\s+(${NUMBER})`, 'gi'), '$1 * $2'],
  [new RegExp(String.raw`\bdifference\s+(?:between|of)\s+(${NUMBER})\s+and\s+(${NUMBER})`, 'gi'), '$1 - $2'],
  [new RegExp(String.raw`\bsubtract\s+(${NUMBER})\s+from\s+(${NUMBER})`, 'gi'), '$2 - $1'],
  [new RegExp(String.raw`\bmultiply\s+(${NUMBER})\s+(?:by|with)\s+(${NUMBER})`, 'gi'), '$1 * $2'],
  [new RegExp(String.raw`\bdivide\s+(${NUMBER})\s+by\s+(${NUMBER})`, 'gi'), '$1 / $2'],
  [new RegExp(String.raw`\b(?:square root|quadratwurzel|wurzel)\s+(?:of|von|aus)\s+(${NUMBER})`, 'gi'), 'sqrt($1)'],
  [/%\s*(?:of|von)\s+/gi, '% * '],
  [/\b(?:plus|added to)\b/gi, '+'],
  [/\bminus\b/gi, '-'],
  [/\b(?:multiplied by|times|multipliziert mit|mal)\b/gi, '*'],
  [/(\d)\s*x\s*(?=\d)/gi, '$1 * '],
  [/\b(?:divided by|geteilt durch)\b/gi, '/'],
  [/\b(?:to the power of|hoch)\b/gi, '^'],
  [/\bsquared\b/gi, '^ 2'],
  [/\bcubed\b/gi, '^ 3'],
];

/** An expression within a sentence: numbers and function names with operators. */
const EXPRESSION = /(?:(?:sum|mean|median|sqrt|round|min|max|abs)\s*\(|[\d.(+−-])[\d\s.()+*/^%×÷·−,-]*[\d)%]/gi;
const OPERATION = /[\d)%]\s*[-+*/^×÷·−]\s*[-(\d.a-z]|\b[a-z]+\s*\(/i;

/** Dates, years and idioms that are not calculations: 2026-11-21, 2024/25, 24/7. */
const NOT_ARITHMETIC = /^\d{1,4}(?:[-/.]\d{1,4}){1,2}$/;
const ASKS_TO_CALCULATE =
  /\b(?:calculate|compute|work out|evaluate|how much is|berechne|rechne|wie ?viel (?:ist|sind|ergibt))\b|=\s*\??\s*$/i;
const FILLER =
  /\b(?:what(?:'s| is| are)|how much (?:is|are)|calculate|compute|work out|evaluate|please|the|result|of|tell me|can you|could you|give me|and|also|then|equals?|exactly|was ist|wie ?viel (?:ist|sind|ergibt)|berechne|rechne|bitte|und)\b|[?.,;:!=]/gi;
/** With more words besides the expression, the sentence is about something else. */
const MAX_OTHER_WORDS = 3;

/** Returns the calculation that a sentence asks for, as an expression for the calculator. */
export function findArithmetic(sentence: string): Found<string> | undefined {
  const text = WORDS.reduce((replaced, [words, signs]) => replaced.replace(words, signs), sentence).replaceAll(
    /\b(sum|mean)\(([^)]*)\)/g,
    (_whole, name: string, list: string) => `${name}(${(list.match(new RegExp(NUMBER, 'g')) ?? []).join(', ')})`,
  );
  const candidates = (text.match(EXPRESSION) ?? []).map((one) => one.trim()).sort((a, b) => b.length - a.length);
  for (const expression of candidates) {
    if (!OPERATION.test(expression) || !isExpression(expression)) continue;
    const rest = text.replace(expression, ' ');
    const others = rest.replaceAll(FILLER, ' ').match(/\p{L}{2,}/gu) ?? [];
    const asks = ASKS_TO_CALCULATE.test(text);
    if (!asks && NOT_ARITHMETIC.test(expression.replaceAll(' ', '')) && others.length > 0) continue;
    if (asks || others.length <= MAX_OTHER_WORDS || /[^\w\s]\s|\s[^\w\s(]/.test(expression)) {
      return { value: expression, rest };
    }
  }
  return undefined;
}

/** Returns whether the calculator can parse a text, whether or not it has a result. */
function isExpression(text: string): boolean {
  try {
    evaluate(text);
    return true;
  } catch (error) {
    if (error instanceof CalculatorError) return /zero/i.test(error.message);
    throw error;
  }
}
