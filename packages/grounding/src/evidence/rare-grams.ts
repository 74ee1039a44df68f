import type { Pausable } from '@lectern/resilience';
import { characterGrams } from '#evidence/gram-overlap';

/** How many of a question's character grams a text contains, compared with other texts. */
export interface RareGrams {
  /**
   * The share of the question's grams, weighted by rarity among the texts (BM25's idf) and
   * frequency (f / (f + 1)).
   */
  readonly share: number;
  /** `share` minus the best share of other documents. */
  readonly margin: number;
  /** `share` minus the average share of other documents. */
  readonly overAverage: number;
}

/** A text and its document. */
export interface GramText {
  readonly documentId: string;
  readonly text: string;
}

/** The margins if there is no other document. */
const NO_OTHER = 0.05;

/** Grams that are counted between two pauses. */
const GRAMS_PER_STEP = 500;

/**
 * Compares texts with a question by character grams, which are robust to compounds, inflection and
 * spelling. In the order of the texts.
 */
export function* compareGrams(question: string, texts: readonly GramText[]): Pausable<RareGrams[]> {
  const wanted = [...new Set(characterGrams(question, question))];
  const counted: { readonly documentId: string; readonly counts: ReadonlyMap<string, number> }[] = [];
  for (const { documentId, text } of texts) {
    counted.push({ documentId, counts: yield* countGrams(characterGrams(question, text)) });
    yield;
  }
  const weights: number[] = [];
  for (const [at, gram] of wanted.entries()) {
    const holding = counted.filter(({ counts }) => counts.has(gram)).length;
    weights.push(Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5)));
    if (at % GRAMS_PER_STEP === 0) yield;
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares: { readonly documentId: string; readonly share: number }[] = [];
  for (const { documentId, counts } of counted) {
    const found = wanted.reduce((sum, gram, at) => {
      const count = counts.get(gram) ?? 0;
      return sum + ((weights[at] ?? 0) * count) / (count + 1);
    }, 0);
    shares.push({ documentId, share: total === 0 ? 0 : found / total });
    yield;
  }
  return shares.map(({ documentId, share }) => {
    const others = shares.filter((other) => other.documentId !== documentId).map((other) => other.share);
    if (others.length === 0) return { share, margin: NO_OTHER, overAverage: NO_OTHER };
    const average = others.reduce((sum, other) => sum + other, 0) / others.length;
    return { share, margin: share - Math.max(...others), overAverage: share - average };
  });
}

function* countGrams(grams: Iterable<string>): Pausable<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  let read = 0;
  for (const gram of grams) {
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
    read += 1;
    if (read % GRAMS_PER_STEP === 0) yield;
  }
  return counts;
}
