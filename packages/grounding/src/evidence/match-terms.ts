import type { QuestionTerm } from '#evidence/question';
import type { TermMatch } from '#evidence/term-match';

/**
 * Terms that share this many letters at their start count as forms of one word (compounds,
 * derivations).
 */
const SHARED_PREFIX = 5;
const PREFIX_STRENGTH = 0.7;
/** The shortest term that counts as part of a compound ("demonstration", "Funkdemonstration"). */
const COMPOUND_PART = 6;
const COMPOUND_STRENGTH = 0.65;

/** The index of a question term, and how strongly a word matches it (above 0, up to 1). */
type Strength = readonly [at: number, strength: number];

/**
 * Matches words against the terms of one question. Results are cached, so each word is compared
 * once.
 */
export function createTermStrengths(question: readonly QuestionTerm[]): (term: string) => readonly Strength[] {
  const seen = new Map<string, readonly Strength[]>();
  return (term) => {
    let known = seen.get(term);
    if (known === undefined) {
      known = question
        .map((expected, at): Strength => [at, strengthOf(expected, term)])
        .filter(([, strength]) => strength > 0);
      seen.set(term, known);
    }
    return known;
  };
}

/** Compares texts, given as terms, with one question. */
export function createTermMatcher(
  question: readonly QuestionTerm[],
  strengths = createTermStrengths(question),
): (terms: Iterable<string>) => TermMatch {
  return (terms) => {
    const best = question.map(() => 0);
    for (const term of terms) {
      for (const [at, strength] of strengths(term)) if (strength > (best[at] ?? 0)) best[at] = strength;
    }
    return best;
  };
}

function strengthOf(expected: QuestionTerm, found: string): number {
  if (expected.term === found) return 1;
  if (expected.specific) return 0;
  if (sharesStart(expected.term, found)) return PREFIX_STRENGTH;
  return isCompoundOf(expected.term, found) ? COMPOUND_STRENGTH : 0;
}

function sharesStart(a: string, b: string): boolean {
  const shorter = a.length < b.length ? a : b;
  const longer = shorter === a ? b : a;
  if (shorter.length < SHARED_PREFIX) return false;
  return (
    longer.startsWith(shorter) || longer.startsWith(shorter.slice(0, Math.max(SHARED_PREFIX + 1, shorter.length - 1)))
  );
}

function isCompoundOf(a: string, b: string): boolean {
  const shorter = a.length < b.length ? a : b;
  return shorter.length >= COMPOUND_PART && (shorter === a ? b : a).includes(shorter);
}
