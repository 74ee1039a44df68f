import type { AnalyzedQuery } from '@lectern/text';
import { documentTermWeight, PAIR_WEIGHT, storedWeight, TITLE_WEIGHT } from '#sparse/bm25';
import { Counts } from '#sparse/counts';
import type { AnalyzedPassage, TermCounts } from '#words/analyze-passage';
import { PairCounter } from '#words/pair-counter';
import { type SparseVector, SparseVectorBuilder } from '#words/sparse-vector';
import { termDimensions } from '#words/term-dimensions';
import { queryWords } from '#words/word-ids';

/** What is known about the words of a whole document. */
export interface DocumentWords {
  /** The ids of all words, each once. */
  readonly ids: readonly number[];
  /** BM25 weights of its words and of pairs of adjacent words, without the IDF factor. */
  readonly vector: SparseVector;
}

/**
 * The most dimensions of a document's vector, about 1 MB as JSON: Qdrant accepts requests of up to
 * 32 MB, and a file of distinct numbers or names has millions of words.
 */
const MAX_DIMENSIONS = 50_000;

/** Further pairs are counted only in the length; a document of many megabytes can have millions. */
const MAX_PAIRS = 500_000;

/**
 * Collects the words of a document from its passages, in any order. The title counts twice; title
 * and headings are repeated in every passage, so each of their words counts as often as in the
 * passage that has most of it. The few sentences that two passages share count twice.
 */
export class DocumentEncoder {
  readonly #words = new FieldCounts();
  readonly #pairs = new FieldCounts(MAX_PAIRS);

  add({ title, heading, text, pairs }: AnalyzedPassage): void {
    this.#words.add(byId(title), byId(heading), byId(text));
    this.#pairs.add(pairs.title, pairs.heading, pairs.text);
  }

  /** The vector has the most frequent words, and the most frequent pairs if there is room. */
  words(): DocumentWords {
    const vector = new SparseVectorBuilder();
    const words = this.#words.total();
    const strongest = mostFrequent(words.frequencies, MAX_DIMENSIONS);
    for (const [word, frequency] of strongest) {
      vector.add(word, documentTermWeight(frequency, words.length));
    }
    const pairs = this.#pairs.total();
    for (const [pair, frequency] of mostFrequent(pairs.frequencies, MAX_DIMENSIONS - strongest.size)) {
      vector.add(pair, documentTermWeight(frequency, pairs.length));
    }
    return { ids: [...words.frequencies.keys()], vector: vector.build(storedWeight) };
  }
}

function* byId(terms: TermCounts): Generator<readonly [number, number]> {
  for (const [term, count] of terms) yield [termDimensions(term).word, count];
}

/** Higher frequencies have almost the same BM25 weight. */
const MAX_FREQUENCY = 2 ** 20;

/** Returns the `count` most frequent features; of equally frequent ones those with the lowest ids. */
function mostFrequent(frequencies: ReadonlyMap<number, number>, count: number): ReadonlyMap<number, number> {
  if (frequencies.size <= count) return frequencies;
  // One number for each, because the features can be millions: its low 32 bits are the id.
  const ranks = Float64Array.from(frequencies, ([id, frequency]) => id - Math.min(frequency, MAX_FREQUENCY) * 2 ** 32);
  const ids = Array.from(ranks.sort().subarray(0, count), (rank) => rank >>> 0);
  return new Map(ids.map((id) => [id, frequencies.get(id) ?? 0]));
}

type FeatureCounts = Iterable<readonly [number, number]>;

/** Counts the features of all passages of a document by field. */
class FieldCounts {
  readonly #title = new Map<number, number>();
  readonly #heading = new Map<number, number>();
  readonly #text = new Map<number, number>();
  readonly #most: number;
  #uncounted = 0;

  /** @param most the number of distinct features of the text to count */
  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  add(title: FeatureCounts, heading: FeatureCounts, text: FeatureCounts): void {
    for (const [feature, count] of title) raise(this.#title, feature, count);
    for (const [feature, count] of heading) raise(this.#heading, feature, count);
    for (const [feature, count] of text) {
      const known = this.#text.get(feature);
      if (known === undefined && this.#text.size >= this.#most) this.#uncounted += count;
      else this.#text.set(feature, (known ?? 0) + count);
    }
  }

  total(): Counts<number> {
    const counts = new Counts<number>();
    for (const [feature, count] of this.#title) counts.add(feature, count * TITLE_WEIGHT);
    for (const [feature, count] of this.#heading) counts.add(feature, count);
    for (const [feature, count] of this.#text) counts.add(feature, count);
    counts.length += this.#uncounted;
    return counts;
  }
}

function raise(counts: Map<number, number>, feature: number, count: number): void {
  if (count > (counts.get(feature) ?? 0)) counts.set(feature, count);
}

/**
 * Returns a query for the vectors of whole documents: its words, and with a lower weight the pairs of
 * adjacent words in its likeliest language. Empty for a query without terms.
 */
export function documentQuery(query: AnalyzedQuery): SparseVector {
  const vector = new SparseVectorBuilder();
  const words = queryWords(query);
  for (const [at, index] of words.indices.entries()) vector.add(index, words.values[at] ?? 0);
  const pairs = new PairCounter();
  for (const { term, weight, start } of query.terms) if (weight >= 1) pairs.add(term, start);
  for (const [pair, count] of pairs.counts) vector.add(pair, count * PAIR_WEIGHT);
  return vector.build();
}
