import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseProvider } from '#dense/dense-provider';
import { hashEmbedding } from '#dense/hash-embedding';
import { LSI_LIMITS } from '#lsi/lsi-limits';
import { HASH_SIMILARITY } from '#similarity';

/** Texts to encode (about 0.2 ms each) before other work of the process continues. */
const TEXTS_PER_TURN = 16;

/**
 * From 0.2 on, the ranking is worse than with keywords alone on scifact's train queries and
 * cranfield; at 0.1 it is equal, and typos are found.
 */
const HYBRID_WEIGHT = 0.1;

/**
 * Encoders without network access, API key or weights. Both use feature hashing. `builtin-lsi-192`,
 * the default, switches to spaces learned from each team's own passages once a team has enough of
 * them.
 */
export const builtinProvider: DenseProvider = {
  models: [`builtin-lsi-${LSI_LIMITS.dimensions}`, 'builtin-hash-512'],
  create: ({ model }) =>
    model === 'builtin-hash-512'
      ? createHashEncoder(model, 512, false)
      : createHashEncoder(model, LSI_LIMITS.dimensions, true),
};

function createHashEncoder(model: string, dimensions: number, learnsSpaces: boolean): DenseEncoder {
  return {
    model,
    dimensions,
    learnsSpaces,
    hybridWeight: HYBRID_WEIGHT,
    similarity: HASH_SIMILARITY,
    async embedDocuments(texts, { signal } = {}) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length % TEXTS_PER_TURN === 0) await nextTurn();
        signal?.throwIfAborted();
        vectors.push(hashEmbedding(text, dimensions));
      }
      return vectors;
    },
    async embedQuery(text, { signal } = {}) {
      signal?.throwIfAborted();
      return hashEmbedding(text, dimensions);
    },
  };
}
