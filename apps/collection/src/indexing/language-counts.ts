import type { AnalyzedPassage } from '@lectern/embeddings';

/** Counts the languages of a document's passages. */
export class LanguageCounts {
  readonly #counts = new Map<string, number>();

  add({ language }: Pick<AnalyzedPassage, 'language'>): void {
    this.#counts.set(language, (this.#counts.get(language) ?? 0) + 1);
  }

  /** Returns the languages, the most frequent first. */
  list(): readonly string[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([language]) => language);
  }
}
