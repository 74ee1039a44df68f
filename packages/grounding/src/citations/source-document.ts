/** A retrieved passage of a document. Models read it, and citations quote it. */
export interface SourcePassage {
  /**
   * The document's text between `start` and `end`, unchanged, because quotes are checked against
   * it.
   */
  readonly text: string;
  /** The headings above the passage, outermost first, joined by `joinHeadings`. */
  readonly heading?: string;
  /** Offsets into the document's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Retrieval score, higher is better. Only the order within a request matters. */
  readonly score?: number;
}

/** A retrieved document with its passages, best first. */
export interface SourceDocument {
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  /** How well the search matched it, 0 to 1, on the same scale for every question. */
  readonly relevance?: number;
  readonly passages: readonly SourcePassage[];
}

/** A document as services send it: the heading is empty if there is none. */
export interface SentDocument {
  readonly documentId: string;
  readonly title: string;
  readonly url?: string | undefined;
  readonly relevance?: number | undefined;
  readonly passages: readonly (Required<Omit<SourcePassage, 'heading'>> & { readonly heading: string })[];
}

/** Converts a search result, or a document that a run has read, to a model's source. */
export function toSourceDocument({ documentId, title, url, relevance, passages }: SentDocument): SourceDocument {
  return {
    id: documentId,
    title,
    ...(url === undefined ? {} : { url }),
    ...(relevance === undefined ? {} : { relevance }),
    passages: passages.map(({ text, heading, start, end, score }) => ({
      text,
      start,
      end,
      score,
      ...(heading === '' ? {} : { heading }),
    })),
  };
}
