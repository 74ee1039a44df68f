import { type DenseEncoder, dimensionsOf } from '@lectern/embeddings';
import type { VectorStore } from '@lectern/vector-store';

/**
 * Makes sure, once a process and model, that the vector store has a place for a model's passages; a
 * failure is tried again.
 */
export function createIndexReadiness(
  store: VectorStore,
  denseEncoder: (model: string) => DenseEncoder,
): (model: string, signal: AbortSignal) => Promise<DenseEncoder> {
  const ready = new Map<string, Promise<DenseEncoder>>();
  return async (model, signal) => {
    signal.throwIfAborted();
    // For all who wait for it: the signal of one is not the others'.
    const known = ready.get(model) ?? makeReady(store, denseEncoder, model);
    ready.set(model, known);
    known.catch(() => {
      if (ready.get(model) === known) ready.delete(model);
    });
    return known;
  };
}

async function makeReady(
  store: VectorStore,
  denseEncoder: (model: string) => DenseEncoder,
  model: string,
): Promise<DenseEncoder> {
  const encoder = denseEncoder(model);
  await store.ensureModel({ model, dimensions: await dimensionsOf(encoder) });
  return encoder;
}
