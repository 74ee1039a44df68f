import { cleanText } from '#text/clean-text';
import type { WrittenBlock } from '#text/document-writer';

/** A word of a page, at its place in the document's text. */
export interface FoundWord {
  /** The index of the word in the words of its page. */
  readonly word: number;
  readonly start: number;
  readonly end: number;
}

/** A text of a page, and for each of its words the index in the words of the page. */
export interface WordedText {
  readonly text: string;
  readonly words?: readonly number[] | undefined;
}

/** The farthest that a word is looked for after one that is not in the text. */
const maxSkippedChars = 80;

/** Returns true for a space or a line break: the only white space that is written between words. */
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a;

/** The forms in which a word can be written: without the hyphen at the end of a line, with escaped pipes. */
const formsOf = (token: string): string[] => {
  const clean = cleanText(token);
  const forms = [clean, clean.replaceAll('|', '\\|'), clean.replace(/-$/, '')];
  return [...new Set(forms)].filter((form) => form !== '' && !/\s/.test(form));
};

/**
 * Finds the words of texts that were written one after the other in a part of a block. Each word is
 * expected right after the one before it; a word that the writer left out is skipped.
 */
export const findWords = (
  { text, start }: WrittenBlock,
  texts: readonly WordedText[],
  from = 0,
  to = text.length,
): FoundWord[] => {
  const found: FoundWord[] = [];
  let at = from;
  for (const worded of texts) {
    const tokens = worded.text.split(' ');
    // Without an index for each word, the words are not known.
    if (worded.words?.length !== tokens.length) continue;
    for (const [index, token] of tokens.entries()) {
      while (isBlank(text.charCodeAt(at))) at++;
      const place = placeOf(text, token, at);
      if (place === undefined || place.at + place.form.length > to) continue;
      const word = worded.words[index] ?? 0;
      at = place.at + place.form.length;
      found.push({ word, start: start + place.at, end: start + at });
    }
  }
  return found;
};

/** Returns where a word is: at an offset, or a little later. */
const placeOf = (text: string, token: string, at: number): { form: string; at: number } | undefined => {
  if (token !== '' && text.startsWith(token, at)) return { form: token, at };
  const forms = formsOf(token);
  const here = forms.find((form) => text.startsWith(form, at));
  return here === undefined ? forms.flatMap((form) => laterPlace(text, form, at)).at(0) : { form: here, at };
};

/** Looks for a whole word a little later. */
const laterPlace = (text: string, form: string, from: number): { form: string; at: number }[] => {
  const part = text.slice(from, from + maxSkippedChars + form.length);
  for (let at = part.indexOf(form); at !== -1; at = part.indexOf(form, at + 1)) {
    const [before, after] = [part[at - 1] ?? ' ', text[from + at + form.length] ?? ' '];
    if (/\s/.test(before) && /\s/.test(after)) return [{ form, at: from + at }];
  }
  return [];
};
