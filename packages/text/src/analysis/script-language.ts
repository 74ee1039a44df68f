import type { Language } from '#analysis/languages';

/**
 * All letters below this code point, and the block of Latin letters with several marks, are Latin.
 */
const FIRST_OTHER_SCRIPT = 0x0370;
const LATIN_EXTENDED_ADDITIONAL = { first: 0x1e00, last: 0x1eff } as const;

/**
 * Blocks of scripts that determine the language, or the language whose rules apply to the whole
 * script.
 */
const BLOCKS: readonly (readonly [first: number, last: number, language: Language])[] = [
  [0x0370, 0x03ff, 'el'],
  [0x0400, 0x052f, 'ru'],
  [0x0600, 0x077f, 'ar'],
  [0x0900, 0x097f, 'hi'],
  [0x0e00, 0x0e7f, 'th'],
  [0x1100, 0x11ff, 'ko'],
  [0x1f00, 0x1fff, 'el'],
  [0x3040, 0x30ff, 'ja'],
  [0x3400, 0x9fff, 'zh'],
  [0xac00, 0xd7af, 'ko'],
  [0xf900, 0xfaff, 'zh'],
  [0xff66, 0xff9f, 'ja'],
  [0x20000, 0x323af, 'zh'],
];

/**
 * Returns the language of a letter's script; `und` for scripts without rules, undefined for Latin
 * letters.
 */
export function scriptLanguage(codePoint: number): Language | undefined {
  if (codePoint < FIRST_OTHER_SCRIPT) return undefined;
  if (codePoint >= LATIN_EXTENDED_ADDITIONAL.first && codePoint <= LATIN_EXTENDED_ADDITIONAL.last) return undefined;
  return BLOCKS.find(([first, last]) => codePoint >= first && codePoint <= last)?.[2] ?? 'und';
}

/**
 * A text with this share of non-Latin letters is in their language, because ideograms carry more
 * information than letters, and technical terms stay Latin.
 */
const OTHER_SHARE = 1 / 3;

/** From this share of kana on, ideograms count as Japanese. */
const KANA_SHARE = 0.05;

const ANY_OTHER_SCRIPT = /[\u0370-\u1dff\u1f00-\u1fff\u2c00-\u{10ffff}]/u;
const LETTER = /\p{L}/u;

/**
 * Returns the language of the script of most letters; undefined for Latin or if there are no
 * letters.
 */
export function dominantScript(text: string): Language | undefined {
  if (!ANY_OTHER_SCRIPT.test(text)) return undefined;
  const counts = new Map<Language, number>();
  let latin = 0;
  for (const character of text) {
    if (!LETTER.test(character)) continue;
    const language = scriptLanguage(character.codePointAt(0) ?? 0);
    if (language === undefined) latin++;
    else counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const others = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (others === 0 || others < (latin + others) * OTHER_SHARE) return undefined;
  const kana = counts.get('ja') ?? 0;
  const han = counts.get('zh') ?? 0;
  if (kana > 0 && kana >= (kana + han) * KANA_SHARE) counts.set('ja', kana + han);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
