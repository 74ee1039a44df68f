import { type DenseEncoder, dimensionsOf } from '@lectern/embeddings';
import type { VectorStore } from '@lectern/vector-store';

/** Makes sure, once a process and model, that the vector store has a place for a model's passages; a failure is tried again. */
export function createIndexReadiness(
  store: VectorStore,
  denseEncoder: (model: string) => DenseEncoder,
): (model: string, signal: AbortSignal) => Promise<DenseEncoder> {
  const ready = new Map<string, DenseEncoder>();
  return async (model, signal) => {
    const known = ready.get(model);
    if (known !== undefined) return known;
    const encoder = denseEncoder(model);
    await store.ensureModel({ model, dimensions: await dimensionsOf(encoder, { signal }) }, { signal });
    ready.set(model, encoder);
    return encoder;
  };
}
