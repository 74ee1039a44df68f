/** A document to index. */
export interface CorpusDocument {
  readonly id: string;
  readonly title: string;
  /** Paragraphs are separated by blank lines; `## ` starts a section heading. */
  readonly text: string;
}

/** A query and the documents that answer it. */
export interface CorpusQuery {
  readonly id: string;
  readonly text: string;
  /** Ids of relevant documents; empty without judgments. */
  readonly relevant: ReadonlySet<string>;
}

/** The documents to index and the queries to run. */
export interface Corpus {
  /** The name in reports, without a path. */
  readonly name: string;
  readonly documents: readonly CorpusDocument[];
  readonly queries: readonly CorpusQuery[];
}
