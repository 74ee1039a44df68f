import type { AnalyzedQuery } from '@lectern/text';
import { documentTermWeight, PAIR_WEIGHT, TITLE_WEIGHT } from '#sparse/bm25';
import { Counts } from '#sparse/counts';
import type { AnalyzedPassage } from '#words/analyze-passage';
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
 * Collects the words of a document from its passages, in any order. The title counts twice; title
 * and headings are repeated in every passage, so each of their words counts as often as in the
 * passage that has most of it. The few sentences that two passages share count twice.
 */
export class DocumentEncoder {
  readonly #words = new FieldCounts<string>();
  readonly #pairs = new FieldCounts<number>();

  add({ title, heading, text, pairs }: AnalyzedPassage): void {
    this.#words.add(title, heading, text);
    this.#pairs.add(pairs.title, pairs.heading, pairs.text);
  }

  words(): DocumentWords {
    const vector = new SparseVectorBuilder();
    const words = this.#words.total();
    const ids: number[] = [];
    for (const [word, frequency] of words.frequencies) {
      const id = termDimensions(word).word;
      ids.push(id);
      vector.add(id, documentTermWeight(frequency, words.length));
    }
    const pairs = this.#pairs.total();
    for (const [pair, frequency] of pairs.frequencies) {
      vector.add(pair, documentTermWeight(frequency, pairs.length));
    }
    return { ids: [...new Set(ids)], vector: vector.build() };
  }
}

/** Counts the features of all passages of a document by field. */
class FieldCounts<Feature> {
  readonly #title = new Map<Feature, number>();
  readonly #heading = new Map<Feature, number>();
  readonly #text = new Map<Feature, number>();

  add(
    title: ReadonlyMap<Feature, number>,
    heading: ReadonlyMap<Feature, number>,
    text: ReadonlyMap<Feature, number>,
  ): void {
    for (const [feature, count] of title) raise(this.#title, feature, count);
    for (const [feature, count] of heading) raise(this.#heading, feature, count);
    for (const [feature, count] of text) this.#text.set(feature, (this.#text.get(feature) ?? 0) + count);
  }

  total(): Counts<Feature> {
    const counts = new Counts<Feature>();
    for (const [feature, count] of this.#title) counts.add(feature, count * TITLE_WEIGHT);
    for (const [feature, count] of this.#heading) counts.add(feature, count);
    for (const [feature, count] of this.#text) counts.add(feature, count);
    return counts;
  }
}

function raise<Feature>(counts: Map<Feature, number>, feature: Feature, count: number): void {
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
