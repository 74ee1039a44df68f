import { z } from 'zod';

/** The stored fields of a passage without its vectors: for filters and for hits. */
export const passagePayload = z.object({
  team: z.string(),
  collection: z.string(),
  document: z.string(),
  /** The source of the document: a connector's type, or `api`. */
  source: z.string(),
  connector: z.string().optional(),
  author: z.string().optional(),
  /** The document's type as detected by its parser. */
  type: z.string(),
  /** ISO 8601 UTC. */
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Principals with read access: `public`, `user:…`, `group:…`. */
  principals: z.array(z.string()),
  /** Increases with each change of the document's content. */
  version: z.int(),
  /** Position of the passage in its document, from 0 without gaps. */
  chunk: z.int(),
  /**
   * The space of the dense vector, if the model has several. A query is compared only with vectors
   * of its own space.
   */
  space: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  title: z.string(),
  url: z.string().optional(),
  /** The path of headings above the passage, joined by ` › `; empty at the top. */
  heading: z.string(),
  text: z.string(),
  /** The language in which the text was analyzed. Passages of earlier versions have none. */
  language: z.string().optional(),
  /** UTF-16 offsets of `text` in the document's content. */
  start: z.int(),
  end: z.int(),
});

/**
 * The fields that a search reads. Fields used only by filters are left out: on a first chunk they
 * are larger than the text. Listing the fields instead of excluding others lets the server copy
 * them unchanged.
 */
export const SHOWN_FIELDS: string[] = Object.keys(passagePayload.shape);

export type PassagePayload = Readonly<z.infer<typeof passagePayload>>;

/** Weights by dimension: unique, ascending, unsigned 32-bit indices with one value each. */
export interface SparseVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** A passage as stored. */
export interface Passage extends PassagePayload {
  /**
   * On a document's first chunk: the ids of all words of the document, each once. Keyword searches
   * match documents by them.
   */
  readonly terms?: readonly number[] | undefined;
  /** On a document's first chunk: the sketch of its text, by which near-duplicates are found. */
  readonly sketch?: string | undefined;
  readonly dense: Float32Array;
  readonly sparse: SparseVector;
  /** On a document's first chunk: the words of the whole document. */
  readonly documentWords?: SparseVector | undefined;
}
