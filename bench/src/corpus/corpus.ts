/** A document to be indexed. */
export interface CorpusDocument {
  readonly id: string;
  readonly title: string;
  /** Paragraphs are separated by blank lines; `## ` begins a section's heading. */
  readonly text: string;
}

/** A query, and which documents answer it. */
export interface CorpusQuery {
  readonly id: string;
  readonly text: string;
  /** Ids of documents; empty where nobody has judged. */
  readonly relevant: ReadonlySet<string>;
}

/** What is indexed and what is asked. */
export interface Corpus {
  /** For the report; no path. */
  readonly name: string;
  readonly documents: readonly CorpusDocument[];
  readonly queries: readonly CorpusQuery[];
}
