import { z } from 'zod';

/** What is stored of a passage beside its vectors: what is filtered by, and what a hit shows. */
export const passagePayload = z.object({
  team: z.string(),
  collection: z.string(),
  document: z.string(),
  /** Where the document came from: a connector's type, or `api`. */
  source: z.string(),
  connector: z.string().optional(),
  author: z.string().optional(),
  /** What kind of document it is, as found by its parser. */
  type: z.string(),
  /** ISO 8601 UTC. */
  createdAt: z.string(),
  updatedAt: z.string(),
  /** Who may read it: `public`, `user:…`, `group:…`. */
  principals: z.array(z.string()),
  /** Grows with each change of the document's content. */
  version: z.int(),
  /** Place of the passage in its document, from 0 without gaps. */
  chunk: z.int(),
  /** The space that its dense vector belongs to, where the model has several; a query is compared with vectors of its own space alone. */
  space: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()),
  title: z.string(),
  url: z.string().optional(),
  /** Path of headings above the passage, joined by ` › `; empty at the top. */
  heading: z.string(),
  text: z.string(),
  /** UTF-16 offsets of `text` in the document's content. */
  start: z.int(),
  end: z.int(),
});

/**
 * The names of all that, as a search reads it. What is stored for filters alone is not among it: on a document's first chunk it outweighs the text.
 * Named rather than excluded, so that a server can copy the fields as they stand.
 */
export const SHOWN_FIELDS: string[] = Object.keys(passagePayload.shape);

export type PassagePayload = Readonly<z.infer<typeof passagePayload>>;

/** Weights by dimension: unique ascending unsigned 32-bit indices, a value for each. */
export interface SparseVector {
  readonly indices: readonly number[];
  readonly values: readonly number[];
}

/** A passage as it is stored. */
export interface Passage extends PassagePayload {
  /** On a document's first chunk: the ids of all words of the document, each once, by which keyword searches tell whether it matches. */
  readonly terms?: readonly number[] | undefined;
  readonly dense: Float32Array;
  readonly sparse: SparseVector;
}
