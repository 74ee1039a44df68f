const COMBINING_MARKS = /\p{M}+/gu;

/** Removes the accents of Greek letters: capitals are written without them. */
export function foldGreekAccents(word: string): string {
  return word.normalize('NFD').replace(COMBINING_MARKS, '').normalize('NFC');
}

/** Replaces `ё` by `е`, as most Russian texts do. */
export function respellRussian(word: string): string {
  return word.replaceAll('ё', 'е');
}

/** Writes s and t with cedilla instead of the modern comma: the stemmer knows only the old form. */
export function respellRomanian(word: string): string {
  return word.replaceAll('ș', 'ş').replaceAll('ț', 'ţ');
}
