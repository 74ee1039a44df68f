/** Term saturation. Chosen, like what follows, on scifact's train queries and cranfield. */
export const K1 = 1.5;

/** How far long passages are held back; 0 not at all, 1 in proportion. */
export const B = 0.75;

/**
 * The length, in terms, at which a passage is neither helped nor held back. Fixed rather than measured, so that a passage's weights do not depend
 * on what else is indexed: it is about what a chunk of 350 tokens comes to without its stopwords, title counted twice.
 */
export const AVERAGE_LENGTH = 150;

/** How often the title counts: twice, that is as two more occurrences of each of its terms at its one place. */
export const TITLE_WEIGHT = 2;

/**
 * The document side of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009): `tf·(k1+1) / (tf + k1·(1−b+b·len/avg))`. The
 * other factor, the inverse document frequency, is applied by Qdrant at query time (modifier `idf`).
 */
export function termWeight(frequency: number, length: number): number {
  return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * length) / AVERAGE_LENGTH));
}
