/** Words of a text in lower case. */
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A word without the ending of its plural, roughly: for comparing words of a question with names of tables and columns. */
export const stemOf = (word: string): string =>
  word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<=[sxz]|ch|sh)es$/, '')
    .replace(/(?<=[^s])s$/, '');

/** The stems of a name such as `order_items`. */
export const stemsOfName = (name: string): readonly string[] =>
  wordsOf(name.replaceAll('_', ' ').replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).map(stemOf);
