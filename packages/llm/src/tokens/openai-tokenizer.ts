import { estimateTokens } from '@lectern/text';

/** A vocabulary of OpenAI's. */
export type OpenAiEncoding = 'o200k_base' | 'cl100k_base';

/** Characters of a text that are counted exactly; the rest of a longer one is counted in pieces of this length. */
const PIECE = 50_000;
/** A stretch without a blank of this many characters takes the tokenizer long, and is estimated. */
const UNBROKEN = /\S{3000}/;

const loaded = new Map<OpenAiEncoding, Promise<(text: string) => number>>();

/**
 * The exact count of tokens in an encoding. Vocabularies take tens of megabytes, so each is loaded at its first use and shared. Texts that
 * spell a special token (`<|endoftext|>`) are counted as text.
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
