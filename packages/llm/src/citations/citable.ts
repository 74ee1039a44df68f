import type { SourceDocument, SourcePassage } from '#model/source-document';

/** A passage that a reply may cite. */
export interface Citable {
  readonly source: SourceDocument;
  readonly passage: SourcePassage;
  /** Index into the source's `passages`. */
  readonly passageIndex: number;
  /** What a model reads above the passage: the document's title and the headings. */
  readonly title: string;
}

/** The passages of documents in their order, those without text left out. */
export function citablesOf(sources: readonly SourceDocument[]): Citable[] {
  return sources.flatMap((source) =>
    source.passages.flatMap((passage, passageIndex) => {
      if (passage.text.trim() === '') return [];
      const title = [source.title.trim() || source.id, passage.heading?.trim()].filter(Boolean).join(' > ');
      return [{ source, passage, passageIndex, title }];
    }),
  );
}
