import type { FieldCondition } from '../filter/types.ts';
import type { JsonValue } from '../json/types.ts';
import { Bitmap } from '../storage/bitmap.ts';
import { IdSet } from '../storage/id-set.ts';
import type { FieldIndex, IndexSchema } from './field-index.ts';
import { type TokenizerOptions, tokenizeDocument, tokenizeQuery } from './tokenizer.ts';

function containsSequence(tokens: readonly string[], phrase: readonly string[]): boolean {
  for (let start = 0; start + phrase.length <= tokens.length; start++) {
    if (phrase.every((token, i) => tokens[start + i] === token)) return true;
  }
  return false;
}

/**
 * An index from tokens to points. `match.text` requires every token, `text_any` one, `phrase` all
 * in order.
 */
export class TextIndex implements FieldIndex {
  readonly schema: IndexSchema;
  readonly indexed = new Bitmap();
  readonly #options: TokenizerOptions;
  readonly #points = new Map<string, IdSet>();
  // The token sequences of each point; only with `phrase_matching`.
  readonly #sequences: Map<number, readonly string[][]> | undefined;

  constructor(schema: IndexSchema, options: TokenizerOptions, phraseMatching: boolean) {
    this.schema = schema;
    this.#options = options;
    this.#sequences = phraseMatching ? new Map() : undefined;
  }

  add(offset: number, values: readonly JsonValue[]): void {
    const sequences: string[][] = [];
    for (const value of values) {
      if (typeof value !== 'string') continue;
      const tokens = tokenizeDocument(this.#options, value);
      sequences.push(tokens);
      for (const token of tokens) {
        let points = this.#points.get(token);
        if (!points) {
          points = new IdSet();
          this.#points.set(token, points);
        }
        points.add(offset);
      }
    }
    if (sequences.length === 0) return;
    this.indexed.add(offset);
    this.#sequences?.set(offset, sequences);
  }

  remove(offset: number, values: readonly JsonValue[]): void {
    this.indexed.delete(offset);
    this.#sequences?.delete(offset);
    for (const value of values) {
      if (typeof value !== 'string') continue;
      for (const token of tokenizeDocument(this.#options, value)) {
        const points = this.#points.get(token);
        points?.delete(offset);
        if (points?.size === 0) this.#points.delete(token);
      }
    }
  }

  evaluate(condition: FieldCondition): Bitmap | undefined {
    const { match } = condition;
    if (!match || condition.range || condition.datetimeRange || condition.valuesCount) return undefined;
    if (condition.isEmpty !== undefined || condition.isNull !== undefined) return undefined;
    if (match.kind === 'text') return this.#withAll(tokenizeQuery(this.#options, match.text));
    if (match.kind === 'textAny') return this.#withAny(tokenizeQuery(this.#options, match.text));
    if (match.kind === 'phrase' && this.#sequences) return this.#withPhrase(match.text, this.#sequences);
    return undefined;
  }

  #withAll(tokens: readonly string[]): Bitmap {
    const result = new Bitmap();
    let first = true;
    for (const token of tokens) {
      const points = new Bitmap();
      this.#points.get(token)?.addTo(points);
      if (first) result.or(points);
      else result.and(points);
      first = false;
    }
    return result;
  }

  #withAny(tokens: readonly string[]): Bitmap {
    const result = new Bitmap();
    for (const token of tokens) this.#points.get(token)?.addTo(result);
    return result;
  }

  #withPhrase(text: string, sequences: ReadonlyMap<number, readonly string[][]>): Bitmap {
    const phrase = tokenizeDocument(this.#options, text);
    const result = this.#withAll(phrase);
    result.forEach((offset) => {
      if (!sequences.get(offset)?.some((tokens) => containsSequence(tokens, phrase))) result.delete(offset);
    });
    return result;
  }
}
