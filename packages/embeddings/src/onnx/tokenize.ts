import type { Tokenizer } from '#onnx/runtime';

/** The tokens of a text, or of a query and a passage. */
export interface Tokens {
  readonly ids: readonly number[];
  /** 1 for the tokens of a passage that follows a query, otherwise 0. */
  readonly types: readonly number[];
}

export type Tokenize = (text: string, passage?: string) => Tokens;

/** Creates a function that tokenizes texts and cuts them to the model's limit. */
export function createTokenize(tokenizer: Tokenizer, maxTokens: number): Tokenize {
  // The special tokens after a text are kept when it is cut.
  const plain = tokenizer.encode('a', { add_special_tokens: false }).ids;
  const special = tokenizer.encode('a', {}).ids;
  const last = plain.at(-1);
  const suffix = last === undefined ? 0 : special.length - 1 - special.lastIndexOf(last);

  const cut = (values: readonly number[]): readonly number[] => {
    if (values.length <= maxTokens) return values;
    if (suffix >= maxTokens) return values.slice(0, maxTokens);
    return [...values.slice(0, maxTokens - suffix), ...values.slice(values.length - suffix)];
  };

  return (text, passage) => {
    const first = passage === undefined ? text : cutQuery(text);
    const { ids, token_type_ids } = tokenizer.encode(first, {
      text_pair: passage === undefined || passage === '' ? null : passage,
      return_token_type_ids: true,
    });
    return { ids: cut(ids), types: cut(token_type_ids ?? ids.map(() => 0)) };
  };

  /** Leaves half of the limit to the passage. */
  function cutQuery(query: string): string {
    const tokens = tokenizer.encode(query, { add_special_tokens: false }).ids.length;
    const most = Math.max(1, Math.floor(maxTokens / 2));
    return tokens <= most ? query : query.slice(0, Math.floor((query.length * most) / tokens));
  }
}
