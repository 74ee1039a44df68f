/** How the same number is written in several ways: `1,000`, `1.000`, `1'000`, `1 000`. */

/** Digits in groups of three, separated by a kind of space: `1 000 000`. */
export const SPACED_NUMBER = String.raw`[0-9]{1,3}(?:[ \u00A0\u2009\u202F][0-9]{3})+(?![0-9])`;

/** Digits, also with separators. */
export const NUMBER = `(?:${SPACED_NUMBER}|[0-9]+)(?:[.,'’][0-9]+)*`;

const SPACES = /[ \u00A0\u2009\u202F]/g;
const APOSTROPHES = /['’]/g;
/** Groups of three, or as in India of two before the last three: `1,00,000`. */
const COMMA_GROUPS = /^[1-9]\p{N}{0,2}(?:,\p{N}{2,3})*,\p{N}{3}$/u;
const DOT_GROUPS = /^[1-9]\p{N}{0,2}(?:\.\p{N}{3})+$/u;
const APOSTROPHE_GROUPS = /^\p{N}{1,3}(?:['’]\p{N}{3})+(?:[.,]\p{N}+)?$/u;
const ONE_COMMA = /^\p{N}+,\p{N}+$/u;
const WITH_DECIMALS = /^(.+)([.,])(\p{N}+)$/u;
const NO_CENTS = /\.00$/;

/**
 * Returns the ways to read a number, the likeliest first, without thousands separators and with a
 * dot before decimals. Empty for a list like `1,2,3`. A single dot before three digits is
 * ambiguous: `1.000` is one in English and one thousand in German.
 */
export function readNumber(written: string): readonly string[] {
  const text = ungrouped(written.replace(SPACES, ''));
  if (text === undefined) return [];
  if (!text.includes(',')) return DOT_GROUPS.test(text) ? [text, text.replaceAll('.', '')] : [text];
  if (COMMA_GROUPS.test(text)) return [text.replaceAll(',', '')];
  if (ONE_COMMA.test(text)) return [text.replace(',', '.')];
  const [, whole = '', separator = '', decimals = ''] = WITH_DECIMALS.exec(text) ?? [];
  const groups = separator === ',' ? DOT_GROUPS : COMMA_GROUPS;
  return groups.test(whole) ? [withoutCents(`${whole.replace(/[.,]/g, '')}.${decimals}`)] : [];
}

function ungrouped(text: string): string | undefined {
  if (APOSTROPHE_GROUPS.test(text)) return text.replace(APOSTROPHES, '');
  return /['’]/.test(text) ? undefined : text;
}

/** Removes two decimals that are zero: `1000.00` is `1000`. */
export function withoutCents(number: string): string {
  return number.replace(NO_CENTS, '');
}
