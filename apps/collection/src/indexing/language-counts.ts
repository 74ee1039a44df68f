import { type Language, passageLanguage } from '@lectern/text';

/** Counts the languages of a document's passages. */
export class LanguageCounts {
  readonly #counts = new Map<Language, number>();

  add(text: string): void {
    const language = passageLanguage(text);
    if (language !== undefined) this.#counts.set(language, (this.#counts.get(language) ?? 0) + 1);
  }

  /** Returns the languages, the most frequent first. */
  list(): readonly Language[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([language]) => language);
  }
}
