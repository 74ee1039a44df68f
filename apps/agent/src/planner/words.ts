/** Returns the words of a text in lower case. */
export const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Removes a plural ending, roughly, to compare words with names of tables and columns. */
export const stemOf = (word: string): string =>
  word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?<=[sxz]|ch|sh)es$/, '')
    .replace(/(?<=[^s])s$/, '');

/** Returns the stems of a name like `order_items`. */
export const stemsOfName = (name: string): readonly string[] =>
  wordsOf(name.replaceAll('_', ' ').replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')).map(stemOf);
