export interface EmbedOptions {
  /** Ends the work early; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Turns text into dense vectors of unit length (or all zeros where there is nothing to encode), to be compared by cosine. */
export interface DenseEncoder {
  /** Names the vector space: vectors are comparable only under the same name. */
  readonly model: string;
  readonly dimensions: number;
  /**
   * What this encoder's ranking is worth beside the lexical one (1) when both are fused: 1 for a trained model, less for one that knows no
   * meaning.
   */
  readonly hybridWeight: number;
  /** One vector a text, in order. Texts are whole passages: title, heading path and text joined by line breaks. */
  embedDocuments(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  embedQuery(text: string, options?: EmbedOptions): Promise<Float32Array>;
}
