import type { Pausable } from '@lectern/resilience';
import { extractTerms, readableText } from '@lectern/text';
import type { Candidate } from '#evidence/candidates';
import { createTermMatcher, createTermStrengths } from '#evidence/match-terms';
import { priorWeights } from '#evidence/prior-weights';
import type { Question } from '#evidence/question';
import { compareGrams, type RareGrams } from '#evidence/rare-grams';
import { strongest, type TermMatch, weightedShare } from '#evidence/term-match';

/**
 * How a passage, with title and headings, matches a question. Shares are weighted shares of the
 * question's terms, 0 to 1.
 */
export interface PassageFeatures {
  readonly documentId: string;
  readonly match: TermMatch;
  /** The share that it mentions. */
  readonly share: number;
  /** The share that it contains with the same stem. */
  readonly exact: number;
  /** The share that the document's title mentions. */
  readonly title: number;
  /** The weighted average of f / (f + 1), where f is how often it mentions a term. */
  readonly frequency: number;
  /**
   * The number of terms n as log(1 + n) / 6, because a long passage matches more terms by chance.
   */
  readonly length: number;
  /** Character grams, compared with the passages of other documents. */
  readonly grams: RareGrams;
}

/** A word in the title counts as much as this many in the text. */
const TITLE_COUNT = 2;
/** The natural logarithm of about 400 terms. */
const LONGEST = 6;

/** Returns the features of the passages that contain the candidates, by `passageKey`. */
export function* readPassages(
  question: Question,
  candidates: readonly Candidate[],
): Pausable<ReadonlyMap<string, PassageFeatures>> {
  const { terms, language } = question;
  const weights = priorWeights(terms);
  const strengths = createTermStrengths(terms);
  const match = createTermMatcher(terms, strengths);
  const read = ([first, ...others]: readonly [Candidate, ...Candidate[]], grams: RareGrams): PassageFeatures => {
    const { source, passageIndex } = first;
    const title = match(extractTerms(readableText(source.title), language));
    const heading = match(extractTerms(source.passages[passageIndex]?.heading ?? '', language));
    const units = [first, ...others].map((candidate) => [...candidate.terms]);
    const leads = match(
      extractTerms([...new Set([first, ...others].map(({ unit }) => unit.lead))].join('\n'), language),
    );
    const all = strongest([title, heading, leads, match(units.flat())]);
    const counts = terms.map((_, at) => TITLE_COUNT * (title[at] ?? 0) + (leads[at] ?? 0));
    for (const term of units.flat()) {
      for (const [at, strength] of strengths(term)) counts[at] = (counts[at] ?? 0) + strength;
    }
    return {
      documentId: source.id,
      match: all,
      share: weightedShare(all, weights),
      exact: weightedShare(
        all.map((strength) => Number(strength === 1)),
        weights,
      ),
      title: weightedShare(title, weights),
      frequency: weightedShare(
        counts.map((count) => count / (count + 1)),
        weights,
      ),
      length: Math.log(1 + units.flat().length) / LONGEST,
      grams,
    };
  };
  const groups = new Map<string, [Candidate, ...Candidate[]]>();
  for (const candidate of candidates) {
    const group = groups.get(passageKey(candidate));
    if (group) group.push(candidate);
    else groups.set(passageKey(candidate), [candidate]);
  }
  const texts = [...groups.values()].map(([{ source, passageIndex }]) => ({
    documentId: source.id,
    text: `${source.title} ${source.passages[passageIndex]?.text ?? ''}`,
  }));
  const grams = yield* compareGrams(question.text, texts);
  const none: RareGrams = { share: 0, margin: 0, overAverage: 0 };
  const features = new Map<string, PassageFeatures>();
  for (const [at, [key, group]] of [...groups].entries()) {
    features.set(key, read(group, grams[at] ?? none));
    yield;
  }
  return features;
}

/** Identifies the passage of a candidate. */
export function passageKey({ source, passageIndex }: Candidate): string {
  return `${passageIndex} ${source.id}`;
}
