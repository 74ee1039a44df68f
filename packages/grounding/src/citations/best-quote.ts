import { passageUnits } from '@lectern/text';

const MAX_PLAIN_QUOTE = 300;

/**
 * Returns the unit of a passage (sentence, list item, row, code) that shares the most words with a
 * claim, verbatim.
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
