/** One retrieved piece of a document: what a model reads and what a citation quotes. */
export interface SourcePassage {
  /** The document's text between `start` and `end`, untouched: quotes are checked against it. */
  readonly text: string;
  /** The headings above the passage, outermost first, joined by " > ". */
  readonly heading?: string;
  /** Offsets into the document's text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Retrieval score, higher is better. Only its order within one request matters. */
  readonly score?: number;
}

/** A document that retrieval found for the question, with the passages found in it, best first. */
export interface SourceDocument {
  readonly id: string;
  readonly title: string;
  readonly url?: string;
  readonly passages: readonly SourcePassage[];
}
