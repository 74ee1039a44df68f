import { estimateTokens } from '@lectern/text';

/** A vocabulary of OpenAI. */
export type OpenAiEncoding = 'o200k_base' | 'cl100k_base';

/** Longer texts are counted in pieces of this many UTF-16 units. */
const PIECE = 50_000;
/** A longer run without white space takes the tokenizer too long, so its piece is estimated. */
const UNBROKEN = /\S{3000}/;

const loaded = new Map<OpenAiEncoding, Promise<(text: string) => number>>();

/**
 * Loads a function that counts tokens exactly. A vocabulary takes tens of megabytes, so it is loaded
 * at its first use and shared. Special tokens in a text (`<|endoftext|>`) are counted as text.
 */
export function loadTokenizer(encoding: OpenAiEncoding): Promise<(text: string) => number> {
  const known = loaded.get(encoding);
  if (known) return known;
  const loading = load(encoding);
  loaded.set(encoding, loading);
  return loading;
}

async function load(encoding: OpenAiEncoding): Promise<(text: string) => number> {
  const { countTokens } =
    encoding === 'o200k_base'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base');
  const plain = { disallowedSpecial: new Set<string>() };
  return (text) => {
    let tokens = 0;
    for (let at = 0; at < text.length; at += PIECE) {
      const piece = text.slice(at, at + PIECE);
      tokens += UNBROKEN.test(piece) ? Math.max(estimateTokens(piece), piece.length / 2) : countTokens(piece, plain);
    }
    return Math.ceil(tokens);
  };
}
