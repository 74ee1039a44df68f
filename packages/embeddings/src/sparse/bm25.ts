/** Term saturation. Chosen, like what follows, on scifact's train queries and cranfield. */
const K1 = 1.5;

/** How far long passages are held back; 0 not at all, 1 in proportion. */
const B = 0.75;

/** How often a term of the title counts where it stands once. */
export const TITLE_WEIGHT = 2;

/**
 * The lengths at which a passage is neither helped nor held back, in words and in character 4-grams. Fixed rather than measured, so that a
 * passage's weights do not depend on what else is indexed: about what a chunk of 350 tokens comes to without its stopwords. From 100 to 200
 * words nDCG@10 moves by less than .01.
 */
export const AVERAGE_LENGTH = { words: 150, grams: 600 } as const;

/** What a term of a query counts that is one only in another language than the likeliest. */
export const ALTERNATIVE_WEIGHT = 0.5;

/** What a near spelling of a query's word counts: it decides only where nothing else is found. */
export const MISSPELLING_WEIGHT = 0.03;

/**
 * The document side of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009): `tf·(k1+1) / (tf + k1·(1−b+b·len/avg))`. The
 * other factor, the inverse document frequency, is applied by Qdrant at query time (modifier `idf`)
 * over the caller's scope.
 */
export function termWeight(frequency: number, length: number, averageLength: number): number {
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / averageLength));
}
