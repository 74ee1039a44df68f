export interface EmbedOptions {
  /** Ends the work early; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns text into dense vectors of unit length (or all zeros where there is nothing to encode), to be compared by cosine. */
export interface DenseEncoder {
  /** Names the vector space: vectors are comparable only under the same name. */
  readonly model: string;
  /** The length of its vectors; undefined where the provider alone knows it and was not asked yet (see `dimensionsOf`). */
  readonly dimensions: number | undefined;
  /**
   * What this encoder's ranking is worth beside the lexical one (1) when both are fused: 1 for a trained model, less for one that knows no
   * meaning.
   */
  readonly hybridWeight: number;
  /** True where encoding costs money or time elsewhere, so that vectors at hand are worth being used again for the same text. */
  readonly isCostly?: boolean;
  /**
   * Whether passages of this model move on to spaces learned from their team's corpus (`startLsiTraining`), of as many dimensions. This encoder
   * is then the space of passages that no learned one holds yet.
   */
  readonly learnsSpaces?: boolean;
  /** One vector a text, in order. Texts are whole passages: title, heading path and text joined by line breaks. */
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
}
