import type { Pausable } from '@lectern/resilience';
import { extractTerms, type Language, readableText } from '@lectern/text';
import type { Candidate } from '#evidence/candidates';
import { scaled, strongest, type TermMatch } from '#evidence/term-match';

/** The factor for a term that is not in a unit but near it. */
const NEARBY = {
  lead: 0.75,
  heading: 0.95,
  previous: 0.9,
  block: 0.45,
  title: 0.55,
  passage: 0.45,
} as const;

/** The factor for a title that names the question, because it is above many subjects. */
const TITLE_FIT = 0.5;

/** How a unit and its context match the question. */
export interface ContextMatch {
  readonly own: TermMatch;
  /** The match of each of its sentences. */
  readonly sentences: readonly TermMatch[];
  /** The match of its own words and, with a lower weight, of its context. */
  readonly wide: TermMatch;
  /** The match of its own words, its lead-in, and the title and headings above it. */
  readonly headed: TermMatch;
  /** Whether the nearest heading is only about the question. */
  readonly underTheHeading: boolean;
  /** How well the nearest heading, or the title, names the question, 0 to 1. */
  readonly headingFit: number;
}

/**
 * Matches every candidate and its context against the question. Each distinct text is compared
 * once.
 */
export function* matchInContext(
  candidates: readonly Candidate[],
  match: (terms: Iterable<string>) => TermMatch,
  language: Language,
): Pausable<Map<Candidate, ContextMatch>> {
  const own = new Map<Candidate, TermMatch>();
  for (const candidate of candidates) {
    own.set(candidate, match(candidate.terms));
    yield;
  }
  const blocks = strongestBy(own, blockKey);
  const passages = strongestBy(own, passageKey);
  const fitOf = memoize((heading: string) => harmonicFit(extractTerms(heading, language), match));
  const matchText = memoize((text: string) => match(extractTerms(readableText(text), language)));
  const isTheSubject = memoize((heading: string) => {
    const terms = extractTerms(heading, language);
    const inQuestion = terms.every((term) => match([term]).some((strength) => strength > 0));
    const found = match(terms);
    return terms.length > 0 && inQuestion && found.filter((strength) => strength > 0).length >= found.length / 2;
  });
  const inContext = new Map<Candidate, ContextMatch>();
  for (const candidate of candidates) {
    const { unit, source, previous } = candidate;
    const ownMatch = own.get(candidate) ?? [];
    const headed = strongest([
      ownMatch,
      scaled(matchText(unit.headings.join('\n')), NEARBY.heading),
      scaled(matchText(source.title), NEARBY.title),
      scaled(matchText(unit.lead), NEARBY.lead),
    ]);
    const wide = strongest([
      headed,
      scaled((previous && own.get(previous)) ?? [], NEARBY.previous),
      scaled(blocks.get(blockKey(candidate)) ?? [], NEARBY.block),
      scaled(passages.get(passageKey(candidate)) ?? [], NEARBY.passage),
    ]);
    const sentences = candidate.sentences.map((terms) => match(terms));
    const headingFit = Math.max(fitOf(unit.headings.at(-1) ?? ''), TITLE_FIT * fitOf(source.title));
    const underTheHeading = isTheSubject(unit.headings.at(-1) ?? '');
    inContext.set(candidate, { own: ownMatch, sentences, wide, headed, underTheHeading, headingFit });
    yield;
  }
  return inContext;
}

function strongestBy(
  own: ReadonlyMap<Candidate, TermMatch>,
  keyOf: (candidate: Candidate) => string,
): Map<string, TermMatch> {
  const groups = new Map<string, TermMatch>();
  for (const [candidate, match] of own) {
    const key = keyOf(candidate);
    groups.set(key, strongest([groups.get(key) ?? [], match]));
  }
  return groups;
}

function passageKey({ source, passageIndex }: Candidate): string {
  return `${passageIndex} ${source.id}`;
}

/** Returns the harmonic mean of the share of a heading in the question, and of the question in it. */
function harmonicFit(terms: readonly string[], match: (terms: Iterable<string>) => TermMatch): number {
  const distinct = [...new Set(terms)];
  const named = distinct.filter((term) => match([term]).some((strength) => strength > 0)).length;
  const found = match(distinct);
  const covered = found.reduce((sum, strength) => sum + strength, 0);
  return named === 0 ? 0 : (2 * covered) / (found.length + distinct.length);
}

function blockKey(candidate: Candidate): string {
  return `${candidate.unit.block} ${passageKey(candidate)}`;
}

function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}
