import { dimensionsOf } from '@lectern/embeddings';
import { AppError, inField, invalidRequest } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Collection } from '#gen/prisma/client';

/** The embedding models of a collection. */
export type CollectionModels = Pick<Collection, 'embeddingModel' | 'previousModels'>;

/** The Prisma selection for `CollectionModels`. */
export const COLLECTION_MODELS = { embeddingModel: true, previousModels: true } as const;

/**
 * Returns the models that index passages of a collection: the current one, then earlier ones that
 * documents still use.
 */
export function modelsOf({ embeddingModel, previousModels }: CollectionModels): readonly string[] {
  return [embeddingModel, ...previousModels];
}

/**
 * Returns the full name of the requested embedding model, or of the default one. Calls the provider
 * to check that other models exist. Throws `invalid_request` for an unknown model.
 */
export async function chooseModel(context: Context, name: string | undefined, signal: AbortSignal): Promise<string> {
  const encoder = inField('embeddingModel', () => context.denseEncoder(name));
  if (encoder.isCostly !== true || encoder === context.denseEncoder()) return encoder.model;
  try {
    await dimensionsOf(encoder, { signal });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'upstream_error')) throw error;
    const message = `The embedding provider does not serve the model "${encoder.model}".`;
    context.log.warn({ err: error, model: encoder.model }, 'a requested embedding model is rejected by the provider');
    throw invalidRequest([{ path: 'embeddingModel', message }]);
  }
  return encoder.model;
}
