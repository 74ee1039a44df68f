import { termsOfToken } from '#analysis/analyze';
import { isShouted } from '#analysis/is-shouted';
import type { Language } from '#analysis/languages';
import { scanTokens } from '#analysis/scan-tokens';

/** A word of a text in the form in which synonyms are compared. */
export interface WordKey {
  /** The stem, or the word itself for a stopword. */
  readonly key: string;
  /**
   * The word as written if it is an abbreviation that is a stopword in lower case (`IT`, `US`), and
   * not the whole text is in capitals.
   */
  readonly capitals: string | undefined;
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

/** `take-home pay` is the same as `take home pay`. */
const HYPHEN = /(?<=[\p{L}\p{N}])[-‑](?=[\p{L}\p{N}])/gu;

/** Returns the words of a text, stopwords included, because `time off` is more than `time`. */
export function wordKeys(text: string, language: Language): readonly WordKey[] {
  const keys: WordKey[] = [];
  scanTokens(text.replaceAll(HYPHEN, ' '), (token, start, end) => {
    const { terms, stopword, capitals } = termsOfToken(token, language);
    keys.push({ key: stopword ?? terms.join(' '), capitals, start, end });
  });
  return isShouted(text) ? keys.map((word) => ({ ...word, capitals: undefined })) : keys;
}
