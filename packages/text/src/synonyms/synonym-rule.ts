/**
 * A group of words with the same meaning. Without `input`, a query for any of the terms also finds
 * the others. With `input`, a query for one of the inputs also finds the terms, but not the reverse.
 */
export interface SynonymRule {
  readonly input: readonly string[];
  readonly terms: readonly string[];
}

/** Returns the terms by which a query finds the others. */
export const inputsOf = ({ input, terms }: SynonymRule): readonly string[] => (input.length > 0 ? input : terms);

/** The limits of one rule. */
const SYNONYM_LIMITS = {
  /** Terms on each side of a rule. */
  terms: 50,
  /** Words of a term. */
  words: 10,
  /** UTF-16 units of a term. */
  characters: 100,
} as const;

const WORD = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const CONTROL = /\p{Cc}/u;

/** A problem of a rule: the side that has it, and a message that follows the side's name. */
export interface RuleProblem {
  readonly side: 'input' | 'terms';
  readonly message: string;
}

/** Returns a rule with white space unified and without repeated terms. */
export function normalizeRule({ input, terms }: SynonymRule): SynonymRule {
  const inputs = distinctTerms(input);
  const known = new Set(inputs.map(comparable));
  return { input: inputs, terms: distinctTerms(terms).filter((term) => !known.has(comparable(term))) };
}

/** Returns the first problem of a normalized rule. */
export function problemOfRule({ input, terms }: SynonymRule): RuleProblem | undefined {
  for (const [side, values] of [['input', input] as const, ['terms', terms] as const]) {
    if (values.length > SYNONYM_LIMITS.terms) {
      return { side, message: `must have at most ${SYNONYM_LIMITS.terms} terms` };
    }
    for (const term of values) {
      const problem = problemOfTerm(term);
      if (problem !== undefined) return { side, message: `${JSON.stringify(term.slice(0, 40))} ${problem}` };
    }
  }
  if (input.length === 0 && terms.length < 2) return { side: 'terms', message: 'must have at least 2 different terms' };
  if (terms.length === 0) return { side: 'terms', message: 'must have at least 1 term that is not in the input' };
  return undefined;
}

function problemOfTerm(term: string): string | undefined {
  if (!WORD.test(term)) return 'must contain a letter, a digit or an emoji';
  if (CONTROL.test(term)) return 'must not contain control characters';
  if (term.length > SYNONYM_LIMITS.characters) return `must have at most ${SYNONYM_LIMITS.characters} characters`;
  if (term.split(' ').length > SYNONYM_LIMITS.words) return `must have at most ${SYNONYM_LIMITS.words} words`;
  return undefined;
}

/** Returns a key that is equal for rules with the same effect. */
export function ruleKey({ input, terms }: SynonymRule): string {
  return JSON.stringify([input.map(comparable).sort(), terms.map(comparable).sort()]);
}

function distinctTerms(terms: readonly string[]): string[] {
  const seen = new Set<string>();
  return terms
    .map((term) => term.normalize('NFC').replaceAll(/\s+/g, ' ').trim())
    .filter((term) => term !== '' && !seen.has(comparable(term)) && seen.add(comparable(term)));
}

/** `IT` and `it` are different words, so short terms keep their case. */
const comparable = (term: string): string => (term.length <= SHORT ? term : term.toLowerCase());
const SHORT = 3;
