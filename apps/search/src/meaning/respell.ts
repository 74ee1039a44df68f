import type { Corrections } from '#meaning/correct-spelling';
import { fold, wordsIn } from '#words/words';

/**
 * Returns a query with the words of `corrections` replaced, for "Did you mean …?". A word that is
 * capitalized stays capitalized. Undefined if nothing changes.
 */
export function respell(query: string, corrections: Corrections): string | undefined {
  if (corrections.size === 0) return undefined;
  let text = '';
  let end = 0;
  for (const word of wordsIn(query)) {
    const correction = corrections.get(fold(word.text));
    if (correction === undefined) continue;
    text += query.slice(end, word.start) + inCaseOf(word.text, correction);
    end = word.end;
  }
  return end === 0 ? undefined : (text + query.slice(end)).trim();
}

function inCaseOf(typed: string, correction: string): string {
  if (typed === typed.toUpperCase()) return correction.toUpperCase();
  const [first = ''] = typed;
  const [letter = ''] = correction;
  return first === first.toLowerCase() ? correction : letter.toUpperCase() + correction.slice(letter.length);
}
