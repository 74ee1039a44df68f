/**
 * The strength of a text's match with each term of the question, 0 to 1, in the order of the terms.
 */
export type TermMatch = readonly number[];

/** Returns the maximum of several matches, term by term. */
export function strongest(matches: readonly TermMatch[]): TermMatch {
  const length = Math.max(0, ...matches.map((match) => match.length));
  return Array.from({ length }, (_, at) => Math.max(...matches.map((match) => match[at] ?? 0)));
}

/** Returns the match multiplied by a factor. */
export function scaled(match: TermMatch, factor: number): TermMatch {
  return match.map((strength) => strength * factor);
}

/**
 * Returns the weighted sum of a match. The sum of the weights is 1, so the result is a share of the
 * question.
 */
export function weightedShare(match: TermMatch, weights: readonly number[]): number {
  return match.reduce((sum, strength, at) => sum + strength * (weights[at] ?? 0), 0);
}

/** Returns whether a match contains a term that the other lacks. */
export function addsTerm(match: TermMatch, other: TermMatch): boolean {
  return match.some((strength, at) => strength === 1 && (other[at] ?? 0) === 0);
}
