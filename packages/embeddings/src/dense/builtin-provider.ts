import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DenseEncoder } from '#dense/dense-encoder';
import type { DenseProvider } from '#dense/dense-provider';
import { hashEmbedding } from '#dense/hash-embedding';

/** Texts encoded (about 0.2 ms each) before other work of the process gets its turn. */
const TEXTS_A_TURN = 16;

/** Encoders that need no network, no key and no weights. Model `builtin-hash-512` is the default of an installation. */
export const builtinProvider: DenseProvider = {
  models: ['builtin-hash-512'],
  create: ({ model }) => createHashEncoder(model, 512),
};

function createHashEncoder(model: string, dimensions: number): DenseEncoder {
  return {
    model,
    dimensions,
    hybridWeight: 0.2,
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
