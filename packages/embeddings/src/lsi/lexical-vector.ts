/** A passage's vector in the lexical leg, as the sparse encoder made it: unique ascending dimensions, a weight for each. */
export interface LexicalVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}
