import { passageUnits } from '@lectern/text';

const MAX_PLAIN_QUOTE = 300;

/**
 * The sentence (or list item, row, piece of code) of a passage that a claim most likely rests on: the one that shares most words with it.
 * Stands verbatim in `passage`.
 */
export function bestQuote(passage: string, claim: string): string {
  const claimed = wordsOf(claim);
  let best: { readonly text: string; readonly shared: number } | undefined;
  for (const { text } of passageUnits(passage)) {
    const shared = [...wordsOf(text)].filter((word) => claimed.has(word)).length;
    if (best === undefined || shared > best.shared) best = { text, shared };
  }
  return best?.text ?? passage.trim().slice(0, MAX_PLAIN_QUOTE).trimEnd();
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu));
}
