import { detectLanguage, isLanguage, type Language } from '@lectern/text';
import type { DocumentHit } from '@lectern/vector-store';

/** A text, and the language in which it was indexed if that is stored. */
export interface StoredText {
  readonly text: string;
  readonly language?: string | undefined;
}

/** A text and its language. */
export interface TextInLanguage {
  readonly text: string;
  readonly language: Language;
}

/** The best passages of a document that count as what was found of it. */
export const FOUND_PASSAGES = 3;

/** Returns the language in which a text was indexed, or its likeliest language. */
export function languageOf({ text, language }: StoredText): Language {
  return language !== undefined && isLanguage(language) ? language : detectLanguage(text);
}

/**
 * Returns the title, headings and texts of the best passages of a document. Titles and headings are
 * indexed in the language of the text.
 */
export function textsOfHit({ payload, passages }: Pick<DocumentHit, 'payload' | 'passages'>): TextInLanguage[] {
  const title = { text: payload.title, language: languageOf(payload) };
  const found = passages.slice(0, FOUND_PASSAGES).flatMap((passage) => {
    const language = languageOf(passage);
    return [
      { text: passage.heading, language },
      { text: passage.text, language },
    ];
  });
  return [title, ...found];
}
