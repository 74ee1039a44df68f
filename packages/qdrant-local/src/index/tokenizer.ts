/** The tokenizer options of a text index. */
export interface TokenizerOptions {
  readonly tokenizer: 'word' | 'whitespace' | 'prefix';
  readonly lowercase: boolean;
  readonly asciiFolding: boolean;
  readonly minTokenLength: number | undefined;
  readonly maxTokenLength: number | undefined;
  readonly stopwords: ReadonlySet<string>;
}

function cut(options: TokenizerOptions, text: string): string[] {
  const separator = options.tokenizer === 'whitespace' ? /\s+/u : /[^\p{Alphabetic}\p{Number}]+/u;
  const words: string[] = [];
  for (const raw of text.split(separator)) {
    if (!raw) continue;
    const lower = options.lowercase ? raw.toLowerCase() : raw;
    words.push(options.asciiFolding ? lower.normalize('NFD').replace(/\p{Mark}/gu, '') : lower);
  }
  return words;
}

// Lengths are in characters, not in UTF-16 units.
function lengthOf(token: string): number {
  return [...token].length;
}

function hasAllowedLength(options: TokenizerOptions, token: string): boolean {
  if (options.minTokenLength === undefined && options.maxTokenLength === undefined) return true;
  const length = lengthOf(token);
  return length >= (options.minTokenLength ?? 0) && length <= (options.maxTokenLength ?? Number.POSITIVE_INFINITY);
}

/**
 * Returns the tokens of a stored text in order. The prefix tokenizer returns each prefix of a word.
 */
export function tokenizeDocument(options: TokenizerOptions, text: string): string[] {
  const words = cut(options, text).filter((word) => !options.stopwords.has(word));
  if (options.tokenizer !== 'prefix') return words.filter((word) => hasAllowedLength(options, word));
  const tokens: string[] = [];
  for (const word of words) {
    const characters = [...word];
    const longest = Math.min(options.maxTokenLength ?? characters.length, characters.length);
    for (let n = options.minTokenLength ?? 1; n <= longest; n++) tokens.push(characters.slice(0, n).join(''));
  }
  return tokens;
}

/**
 * Returns the tokens of a query in order. The prefix tokenizer returns only the longest prefix of
 * each word.
 */
export function tokenizeQuery(options: TokenizerOptions, text: string): string[] {
  if (options.tokenizer !== 'prefix') return tokenizeDocument(options, text);
  const tokens = cut(options, text).map((word) => [...word].slice(0, options.maxTokenLength).join(''));
  return tokens.filter((token) => hasAllowedLength(options, token));
}
