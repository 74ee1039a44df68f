import type { LexicalVector } from '#lsi/lexical-vector';
import { LSI_LIMITS } from '#lsi/lsi-limits';
import { passageWeight } from '#lsi/lsi-weights';
import type { PassageText } from '#sparse/sparse-encoder';
import { documentWords } from '#words/word-ids';

/** A passage to learn from: its text, and its vector in the lexical leg as it is stored. */
export interface LsiPassage extends PassageText {
  readonly sparse: LexicalVector;
}

/** Entries (a term of a passage) that there is room for at first. */
const FIRST_CAPACITY = 1 << 16;

/**
 * The passages to learn from, as their words' weights in the lexical leg. Its other features (character grams) are left out: with them ranking by
 * meaning gets worse on cranfield and scifact alike, and training takes five times as long. Which are words is not to be seen from the vector, hence the text.
 */
export class LsiSample {
  readonly #starts = [0];
  readonly #passagesByTerm = new Map<number, number>();
  #terms = new Uint32Array(FIRST_CAPACITY);
  #weights = new Float32Array(FIRST_CAPACITY);

  /** Passages taken in. */
  get size(): number {
    return this.#starts.length - 1;
  }

  /** Takes a passage in; false, and nothing done, where there are as many passages or entries as are learned from. */
  add(passage: LsiPassage): boolean {
    if (this.size >= LSI_LIMITS.passages) return false;
    const words = new Set(documentWords(passage));
    const { indices, values } = passage.sparse;
    const places = [...indices.keys()].filter((at) => words.has(indices[at] ?? 0));
    const start = this.#starts.at(-1) ?? 0;
    const end = start + places.length;
    if (end > LSI_LIMITS.entries) return false;
    this.#reserve(end);
    for (const [offset, at] of places.entries()) {
      const term = indices[at] ?? 0;
      this.#terms[start + offset] = term;
      this.#weights[start + offset] = passageWeight(values[at] ?? 0);
      this.#passagesByTerm.set(term, (this.#passagesByTerm.get(term) ?? 0) + 1);
    }
    this.#starts.push(end);
    return true;
  }

  /** How many passages hold each term. */
  get passagesByTerm(): ReadonlyMap<number, number> {
    return this.#passagesByTerm;
  }

  /** Where each passage's entries start, and last where all end. */
  get starts(): readonly number[] {
    return this.#starts;
  }

  /** The term of each entry. */
  get terms(): Uint32Array {
    return this.#terms.subarray(0, this.#starts.at(-1));
  }

  /** What the term weighs in its passage, of each entry. */
  get weights(): Float32Array {
    return this.#weights.subarray(0, this.#starts.at(-1));
  }

  #reserve(entries: number): void {
    if (entries <= this.#terms.length) return;
    const capacity = Math.max(entries, this.#terms.length * 2);
    const terms = new Uint32Array(capacity);
    const weights = new Float32Array(capacity);
    terms.set(this.#terms);
    weights.set(this.#weights);
    this.#terms = terms;
    this.#weights = weights;
  }
}
