import type { Similarity } from '#similarity';

export interface EmbedOptions {
  /** Aborts the work; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Encodes text as dense vectors of unit length, or all zeros if there is nothing to encode. Compare
 * them by cosine.
 */
export interface DenseEncoder {
  /** The name of the vector space. Only vectors of the same space are comparable. */
  readonly model: string;
  /**
   * The length of the vectors; undefined if only the provider knows it and has not been called yet
   * (see `dimensionsOf`).
   */
  readonly dimensions: number | undefined;
  /**
   * The weight of this encoder's ranking in a fusion, relative to the keyword ranking (1): 1 for a
   * trained model, less for one that does not model meaning.
   */
  readonly hybridWeight: number;
  /** What the cosines of this encoder mean. */
  readonly similarity: Similarity;
  /**
   * True if encoding costs money or time on another machine, so that stored vectors of the same
   * text are reused.
   */
  readonly isCostly?: boolean;
  /**
   * Whether passages of this model move to spaces learned from their team's corpus
   * (`startLsiTraining`), with the same number of dimensions. This encoder then serves the passages
   * that are not in a learned space yet.
   */
  readonly learnsSpaces?: boolean;
  /**
   * Returns one vector per text, in order. A text is a whole passage: title, heading path and text,
   * joined by line breaks.
   */
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
  /** Removes a model from memory that runs in this process. The next call loads it again. */
  close?(): Promise<void>;
}
