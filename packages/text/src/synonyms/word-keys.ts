import { termsOfToken } from '#analysis/analyze';
import { LANGUAGES, type Language } from '#analysis/languages';
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
const CAPITALS = /^\p{Lu}{2,4}$/u;

/** Returns the words of a text, stopwords included, because `time off` is more than `time`. */
export function wordKeys(text: string, language: Language): readonly WordKey[] {
  const { stopwords, normalize } = LANGUAGES[language];
  const keys: WordKey[] = [];
  scanTokens(text.replaceAll(HYPHEN, ' '), (token, start, end) => {
    const word = normalize(token);
    const { terms } = termsOfToken(token, language);
    const isAbbreviation = stopwords.has(word) && CAPITALS.test(token);
    const key = stopwords.has(word) || terms.length === 0 ? word : terms.join(' ');
    keys.push({ key, capitals: isAbbreviation ? token : undefined, start, end });
  });
  if (keys.length < 2 || text !== text.toUpperCase()) return keys;
  return keys.map((word) => ({ ...word, capitals: undefined }));
}
