const COMBINING_MARKS = /\p{M}+/gu;

/** Leaves out the accents of Greek letters: capitals are written without them. */
export function foldGreekAccents(word: string): string {
  return word.normalize('NFD').replace(COMBINING_MARKS, '').normalize('NFC');
}

/** Writes `ё` as `е`, as most Russian texts do. */
export function respellRussian(word: string): string {
  return word.replaceAll('ё', 'е');
}

/** Writes s and t with cedilla where they stand with the comma that has become the standard: the stemmer knows the old form. */
export function respellRomanian(word: string): string {
  return word.replaceAll('ș', 'ş').replaceAll('ț', 'ţ');
}
