import type { Schemas } from '@qdrant/js-client-rest';
import { FACT_KEYS } from '#layout/facts';

/** The names of a point's two vectors. */
export const VECTORS = { dense: 'dense', sparse: 'text' } as const;

/**
 * The settings of a new collection. Qdrant multiplies sparse weights by the inverse document
 * frequency, the second half of BM25; each search states over which passages.
 */
export function collectionVectors(dimensions: number): Pick<Schemas['CreateCollection'], 'vectors' | 'sparse_vectors'> {
  return {
    vectors: { [VECTORS.dense]: { size: dimensions, distance: 'Cosine' } },
    sparse_vectors: { [VECTORS.sparse]: { modifier: 'idf' } },
  };
}

/**
 * The payload fields that filters, counts and facets use, and how each is indexed. `team` is the tenant: Qdrant keeps a tenant's points together,
 * and every request names one. Adding a field here adds its index to existing collections at the next `ensureModel`.
 */
export const PAYLOAD_INDEXES: Readonly<Record<string, Schemas['PayloadFieldSchema']>> = {
  team: { type: 'keyword', is_tenant: true },
  collection: 'keyword',
  document: 'keyword',
  source: 'keyword',
  connector: 'keyword',
  author: 'keyword',
  type: 'keyword',
  principals: 'keyword',
  updatedAt: 'datetime',
  createdAt: 'datetime',
  version: 'integer',
  chunk: 'integer',
  space: 'keyword',
  // Looked up, never compared: without the part of the index that answers ranges.
  terms: { type: 'integer', lookup: true, range: false },
  ...Object.fromEntries(FACT_KEYS.map((key): [string, Schemas['PayloadFieldSchema']] => [key, 'keyword'])),
};

/** A document's first chunk stands for the document wherever documents, not passages, are counted: every document has exactly one. */
export const FIRST_CHUNK = 0;
