import { termsOfToken } from '#analysis/analyze';
import { isShouted } from '#analysis/is-shouted';
import type { Language } from '#analysis/languages';
import { foldAccents, normalizeToken } from '#analysis/normalize-token';
import { scanTokens } from '#analysis/scan-tokens';

/** What distinguishes words of one stem. */
export interface ComparedWord {
  /** The word in lower case, without accents. */
  readonly word: string;
  /** True for a word in capitals: `PTO`. */
  readonly isAbbreviation: boolean;
}

/** A word of a text in the form in which synonyms are compared. */
export interface WordKey extends ComparedWord {
  /** The stem, or the word itself for a stopword. Words of one stem can still differ (`isForm`). */
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
const ABBREVIATION = /^\p{Lu}[\p{Lu}\p{N}]+$/u;
const PLURAL_ABBREVIATION = /^\p{Lu}{2,}s$/u;

/** Returns the first words of a text, stopwords included, because `time off` is more than `time`. */
export function wordKeys(text: string, language: Language, limit = Number.POSITIVE_INFINITY): readonly WordKey[] {
  const keys: WordKey[] = [];
  const isLoud = isShouted(text);
  scanTokens(text.replaceAll(HYPHEN, ' '), (token, start, end) => {
    if (keys.length >= limit) return;
    const single = PLURAL_ABBREVIATION.test(token) ? token.slice(0, -1) : token;
    const { terms, stopword, capitals } = termsOfToken(single, language);
    keys.push({
      key: stopword ?? terms.join(' '),
      word: foldAccents(normalizeToken(single)),
      isAbbreviation: ABBREVIATION.test(single),
      capitals: isLoud ? undefined : capitals,
      start,
      end,
    });
  });
  return keys;
}

/** How much longer or shorter than the word of a rule another form of it can be. */
const LONGER = 4;
const SHORTER = 1;

/**
 * Returns whether a word of a query with the same stem is a form of a rule's word. Stems go
 * further: `author` has the stem of `authorize`, `install` that of `installment` and `pay` that of
 * `PAYE`.
 */
export function isForm(rule: ComparedWord, query: ComparedWord): boolean {
  if (rule.word === query.word) return true;
  if (rule.isAbbreviation) return false;
  const difference = query.word.length - rule.word.length;
  if (difference > LONGER || difference < -SHORTER) return false;
  const common = Math.min(rule.word.length, query.word.length) - 1;
  return rule.word.slice(0, common) === query.word.slice(0, common);
}
