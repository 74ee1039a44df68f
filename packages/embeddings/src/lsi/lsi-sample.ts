import type { LexicalVector } from '#lsi/lexical-vector';
import { LSI_LIMITS } from '#lsi/lsi-limits';
import { passageWeight } from '#lsi/lsi-weights';
import type { PassageText } from '#sparse/sparse-encoder';
import { documentWords } from '#words/word-ids';

/** A passage to learn from: its text, and its vector in the lexical leg as it is stored. */
export interface LsiPassage extends PassageText {
  readonly sparse: LexicalVector;
}

/** A term of a passage, and what it weighs there. */
export interface WeighedTerm {
  readonly term: number;
  readonly weight: number;
}

/**
 * The passages to learn from, as their words' weights in the lexical leg. Its other features (character grams) are left out: with them ranking by
 * meaning gets worse on cranfield and scifact alike, and training takes five times as long. Which are words is not to be seen from the vector, hence the text.
 */
export class LsiSample {
  readonly #passages: { readonly terms: Uint32Array; readonly weights: Float32Array }[] = [];
  readonly #passagesByTerm = new Map<number, number>();

  get size(): number {
    return this.#passages.length;
  }

  /** Takes a passage in, up to the limit of passages; false where it is reached. */
  add(passage: LsiPassage): boolean {
    if (this.size >= LSI_LIMITS.passages) return false;
    const words = new Set(documentWords(passage));
    const { sparse } = passage;
    const places = [...sparse.indices.keys()].filter((at) => words.has(sparse.indices[at] ?? 0));
    const terms = Uint32Array.from(places, (at) => sparse.indices[at] ?? 0);
    const weights = Float32Array.from(places, (at) => passageWeight(sparse.values[at] ?? 0));
    for (const term of terms) this.#passagesByTerm.set(term, (this.#passagesByTerm.get(term) ?? 0) + 1);
    this.#passages.push({ terms, weights });
    return true;
  }

  /** How many passages hold each term. */
  get passagesByTerm(): ReadonlyMap<number, number> {
    return this.#passagesByTerm;
  }

  /** The terms of each passage, in the order in which passages were added. */
  *passages(): Generator<readonly WeighedTerm[]> {
    for (const { terms, weights } of this.#passages) {
      yield Array.from(terms, (term, at) => ({ term, weight: weights[at] ?? 0 }));
    }
  }
}
