/** A passage's sparse vector: unique ascending dimensions with one weight each. */
export interface LexicalVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}
