import type { Schemas } from '@qdrant/js-client-rest';
import { FACT_KEYS } from '#layout/facts';

/**
 * The names of a point's vectors. Every passage has `dense` and `sparse`; a document's first passage
 * also has `document`: the words of the whole document.
 */
export const VECTORS = { dense: 'dense', sparse: 'text', document: 'document' } as const;

/** The settings of both sparse vectors. */
export const SPARSE_VECTOR = { modifier: 'idf' } as const;

/**
 * The payload fields that filters, counts and facets use, with their index types. `team` is the
 * tenant: Qdrant stores a tenant's points together, and every request names one. A field added here
 * is indexed in existing collections at the next `ensureModel`.
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
  // Only equality is used, so the index for ranges is left out.
  terms: { type: 'integer', lookup: true, range: false },
  ...Object.fromEntries(FACT_KEYS.map((key): [string, Schemas['PayloadFieldSchema']] => [key, 'keyword'])),
};

/** Counts of documents count first chunks: every document has exactly one. */
export const FIRST_CHUNK = 0;
