import { analyzePassage, type PassageText } from '#analyze-passage';
import type { LexicalVector } from '#lsi/lexical-vector';
import { LSI_LIMITS } from '#lsi/lsi-limits';
import { passageWeight } from '#lsi/lsi-weights';
import { documentWords } from '#words/word-ids';

/** A passage to learn from: its text and its stored sparse vector. */
export interface LsiPassage extends PassageText {
  readonly sparse: LexicalVector;
}

/** Entries (a term of a passage) to allocate at first. */
const FIRST_CAPACITY = 1 << 16;

/**
 * The passages to learn from, as weights of their words. Character grams are left out: with them
 * the semantic ranking is worse on cranfield and scifact, and training takes five times as long.
 * The vector does not show which dimensions are words, so the text is needed.
 */
export class LsiSample {
  readonly #starts = [0];
  readonly #passagesByTerm = new Map<number, number>();
  #terms = new Uint32Array(FIRST_CAPACITY);
  #weights = new Float32Array(FIRST_CAPACITY);

  /** The number of passages. */
  get size(): number {
    return this.#starts.length - 1;
  }

  /**
   * Adds a passage; returns false without adding it if the limit of passages or entries is reached.
   */
  add(passage: LsiPassage): boolean {
    if (this.size >= LSI_LIMITS.passages) return false;
    const words = new Set(documentWords(analyzePassage(passage)));
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

  /** The number of passages with each term. */
  get passagesByTerm(): ReadonlyMap<number, number> {
    return this.#passagesByTerm;
  }

  /** The start of each passage's entries, and the end of the last. */
  get starts(): readonly number[] {
    return this.#starts;
  }

  /** The term of each entry. */
  get terms(): Uint32Array {
    return this.#terms.subarray(0, this.#starts.at(-1));
  }

  /** The weight of each entry's term in its passage. */
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
