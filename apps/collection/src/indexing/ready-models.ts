import { type DenseEncoder, dimensionsOf } from '@lectern/embeddings';
import type { VectorStore } from '@lectern/vector-store';

/**
 * Prepares the vector store for a model's passages, once per process and model. The next call
 * retries a failure.
 */
export function createIndexReadiness(
  store: VectorStore,
  denseEncoder: (model: string) => DenseEncoder,
): (model: string, signal: AbortSignal) => Promise<DenseEncoder> {
  const ready = new Map<string, Promise<DenseEncoder>>();
  return async (model, signal) => {
    signal.throwIfAborted();
    // Shared by all callers, so the signal of one must not cancel it.
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
