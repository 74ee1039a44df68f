import { extractTerms, readableText } from '@lectern/text';
import type { Candidate } from '#evidence/candidates';
import { createTermMatcher, createTermStrengths } from '#evidence/match-terms';
import type { Pausable } from '#evidence/pausable';
import type { Question } from '#evidence/question';
import { compareLetters, type RareLetters } from '#evidence/rare-letters';
import { tellingWeights } from '#evidence/telling-weights';
import { strongest, type TermMatch, weightedShare } from '#evidence/term-match';

/** What a whole passage, with its document's title and its headings, says of a question. Shares are of the question's weight, 0 to 1. */
export interface PassageSigns {
  readonly documentId: string;
  readonly match: TermMatch;
  /** Share of the question that it speaks of. */
  readonly share: number;
  /** Share that stands in it word for word (stem for stem). */
  readonly exact: number;
  /** Share that the document's title speaks of. */
  readonly title: number;
  /** How often it speaks of each term, as f / (f + 1), averaged by weight: a passage about a thing says its name again. */
  readonly frequency: number;
  /** How many terms it has, as log(1 + n) / 6: of a long one more terms are found by chance. */
  readonly length: number;
  /** By pieces of four letters, against the passages of other documents. */
  readonly letters: RareLetters;
}

/** A word in the title tells as much of the subject as this many in the text. */
const TITLE_COUNT = 2;
/** Natural logarithm of about 400 terms. */
const LONGEST = 6;

/** Reads the passages that candidates come from, by `passageKey`. */
export function* readPassages(
  question: Question,
  candidates: readonly Candidate[],
): Pausable<ReadonlyMap<string, PassageSigns>> {
  const { terms, language } = question;
  const weights = tellingWeights(terms);
  const strengths = createTermStrengths(terms);
  const match = createTermMatcher(terms, strengths);
  const read = ([first, ...others]: readonly [Candidate, ...Candidate[]], letters: RareLetters): PassageSigns => {
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
      letters,
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
  const letters = yield* compareLetters(question.text, texts);
  const none: RareLetters = { share: 0, margin: 0, overAverage: 0 };
  const signs = new Map<string, PassageSigns>();
  for (const [at, [key, group]] of [...groups].entries()) {
    signs.set(key, read(group, letters[at] ?? none));
    yield;
  }
  return signs;
}

/** Names the passage that a candidate stands in. */
export function passageKey({ source, passageIndex }: Candidate): string {
  return `${passageIndex} ${source.id}`;
}
