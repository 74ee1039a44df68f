/** For each term of the question, how strongly a text speaks of it: 0 to 1, in the question's order. */
export type TermMatch = readonly number[];

/** The strongest of several matches, term by term. */
export function strongest(matches: readonly TermMatch[]): TermMatch {
  const length = Math.max(0, ...matches.map((match) => match.length));
  return Array.from({ length }, (_, at) => Math.max(...matches.map((match) => match[at] ?? 0)));
}

/** The match at a part of its strength. */
export function scaled(match: TermMatch, factor: number): TermMatch {
  return match.map((strength) => strength * factor);
}

/** Weighted sum of a match; weights add up to 1, so the result is a share of the question. */
export function weightedShare(match: TermMatch, weights: readonly number[]): number {
  return match.reduce((sum, strength, at) => sum + strength * (weights[at] ?? 0), 0);
}

/** Whether a match has a term in full of which the other has nothing. */
export function strengthens(match: TermMatch, other: TermMatch): boolean {
  return match.some((strength, at) => strength === 1 && (other[at] ?? 0) === 0);
}
