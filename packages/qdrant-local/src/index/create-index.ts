import { notSupported } from '../errors.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, ownValue } from '../json/types.ts';
import type { FieldIndex, IndexSchema } from './field-index.ts';
import { IntegerIndex } from './integer-index.ts';
import { keyReaders, MapIndex } from './map-index.ts';
import { NumberIndex, numberReaders } from './number-index.ts';
import { TextIndex } from './text-index.ts';
import type { TokenizerOptions } from './tokenizer.ts';

function lengthOption(params: JsonObject, name: string): number | undefined {
  const value = ownValue(params, name);
  return typeof value === 'number' ? value : undefined;
}

function customStopwords(params: JsonObject, lowercase: boolean): Set<string> {
  const value = ownValue(params, 'stopwords') ?? null;
  if (value === null) return new Set();
  const languages = isJsonObject(value) ? (ownValue(value, 'languages') ?? null) : value;
  if (languages !== null && !(isJsonArray(languages) && languages.length === 0))
    throw notSupported('The stopword list of a language');
  const custom: JsonValue = isJsonObject(value) ? (ownValue(value, 'custom') ?? null) : null;
  const words = isJsonArray(custom) ? custom.filter((word) => typeof word === 'string') : [];
  return new Set(lowercase ? words.map((word) => word.toLowerCase()) : words);
}

function textOptions(params: JsonObject): TokenizerOptions {
  const tokenizer = ownValue(params, 'tokenizer') ?? 'word';
  if (tokenizer !== 'word' && tokenizer !== 'whitespace' && tokenizer !== 'prefix')
    throw notSupported(`The tokenizer ${JSON.stringify(tokenizer)}`);
  const stemmer = ownValue(params, 'stemmer') ?? null;
  if (isJsonObject(stemmer) && ownValue(stemmer, 'type') !== 'none') throw notSupported('Stemming in a text index');
  const lowercase = ownValue(params, 'lowercase') !== false;
  return {
    tokenizer,
    lowercase,
    asciiFolding: ownValue(params, 'ascii_folding') === true,
    minTokenLength: lengthOption(params, 'min_token_len'),
    maxTokenLength: lengthOption(params, 'max_token_len'),
    stopwords: customStopwords(params, lowercase),
  };
}

/** Creates an empty index. @throws QdrantError 400 for unsupported options */
export function createFieldIndex(schema: IndexSchema): FieldIndex {
  switch (schema.type) {
    case 'keyword':
      return new MapIndex(schema, keyReaders.keyword);
    case 'bool':
      return new MapIndex(schema, keyReaders.bool);
    case 'uuid':
      return new MapIndex(schema, keyReaders.uuid);
    case 'integer':
      // Without `range`, a column of numbers would waste memory. Range conditions then read
      // payloads.
      if (ownValue(schema.params ?? {}, 'range') === false) return new MapIndex(schema, keyReaders.integer);
      return new IntegerIndex(schema);
    case 'float':
      return new NumberIndex(schema, numberReaders.float);
    case 'datetime':
      return new NumberIndex(schema, numberReaders.datetime);
    case 'text': {
      const params = schema.params ?? {};
      return new TextIndex(schema, textOptions(params), ownValue(params, 'phrase_matching') === true);
    }
  }
}
