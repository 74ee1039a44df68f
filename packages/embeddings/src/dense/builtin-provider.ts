import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseProvider } from '#dense/dense-provider';
import { hashEmbedding } from '#dense/hash-embedding';
import { LSI_LIMITS } from '#lsi/lsi-limits';

/** Texts encoded (about 0.2 ms each) before other work of the process gets its turn. */
const TEXTS_A_TURN = 16;

/** From .2 on the ranking gets worse than by keywords alone on scifact's train queries and cranfield; at .1 it is the same, and typos are found. */
const HYBRID_WEIGHT = 0.1;

/**
 * Encoders that need no network, no key and no weights: feature hashing, and for `builtin-lsi-192`, the default of an installation, spaces that are
 * learned from each team's own passages once it has enough of them; until then the hashed vectors stand in.
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
    async embedDocuments(texts, { signal } = {}) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        if (vectors.length % TEXTS_A_TURN === 0) await nextTurn();
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
