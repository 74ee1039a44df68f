import { detectLanguage, visitIndexTerms } from '@lectern/text';
import type { TypedWord } from '#docs-site/typed-words';
import { isMisspelling } from '#words/is-misspelling';
import { fold, wordsIn } from '#words/words';

/** The certainty that a word of a document is the typed one. */
const CERTAINTY = { same: 1, prefix: 0.9, misspelled: 0.6, longer: 0.5 } as const;

/** The certainty that a word is the typed one at this position. */
interface Certainty {
  readonly at: number;
  readonly certainty: number;
}

/**
 * Compares the words of documents with the typed words. Results are cached, because documents share
 * most of their words.
 */
export class WordEvidence {
  readonly #words: readonly TypedWord[];
  readonly #certainties = new Map<string, readonly Certainty[]>();
  /** The index terms of the found words, which excerpts highlight. */
  readonly terms = new Set<string>();

  constructor(words: readonly TypedWord[]) {
    this.#words = words;
  }

  /** Returns for each typed word the certainty, 0 to 1, that a text contains it. */
  in(text: string): number[] {
    const best = this.#words.map(() => 0);
    visitIndexTerms(text, detectLanguage(text), (term, start, end) => {
      for (const { at, certainty } of this.#certaintiesOf(term, text.slice(start, end))) {
        this.terms.add(term);
        best[at] = Math.max(best[at] ?? 0, certainty);
      }
    });
    return best;
  }

  #certaintiesOf(term: string, token: string): readonly Certainty[] {
    const key = `${term}\n${token}`;
    let certainties = this.#certainties.get(key);
    if (certainties === undefined) {
      const parts = wordsIn(token).map((part) => fold(part.text));
      certainties = this.#words
        .map((typed, at) => ({
          at,
          certainty: parts.reduce((best, part) => Math.max(best, certaintyOf(typed, term, part)), 0),
        }))
        .filter(({ certainty }) => certainty > 0);
      this.#certainties.set(key, certainties);
    }
    return certainties;
  }
}

function certaintyOf({ word, terms, unfinished }: TypedWord, term: string, part: string): number {
  if (terms.has(term) || part === word) return CERTAINTY.same;
  if (part.startsWith(word)) return unfinished ? CERTAINTY.prefix : CERTAINTY.longer;
  if (isMisspelling(word, part)) return CERTAINTY.misspelled;
  return unfinished && isMisspelling(word, part.slice(0, word.length)) ? CERTAINTY.longer : 0;
}
