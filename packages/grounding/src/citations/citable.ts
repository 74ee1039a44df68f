import type { SourceDocument, SourcePassage } from '#citations/source-document';

/** A passage that a reply can cite. */
export interface Citable {
  readonly source: SourceDocument;
  readonly passage: SourcePassage;
  /** Index into the source's `passages`. */
  readonly passageIndex: number;
  /** The document's title, or its id if it has none. */
  readonly title: string;
  /** The headings above the passage, or ''. */
  readonly heading: string;
}

/** Returns the passages of documents in order, without empty ones. */
export function citablesOf(sources: readonly SourceDocument[]): Citable[] {
  return sources.flatMap((source) =>
    source.passages.flatMap((passage, passageIndex) => {
      if (passage.text.trim() === '') return [];
      const title = source.title.trim() || source.id;
      return [{ source, passage, passageIndex, title, heading: passage.heading?.trim() ?? '' }];
    }),
  );
}
