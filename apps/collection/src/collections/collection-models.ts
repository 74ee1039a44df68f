import { dimensionsOf } from '@lectern/embeddings';
import { AppError, inField, invalidRequest } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Collection } from '#gen/prisma/client';

/** The part of a collection that says where its passages are. */
export type CollectionModels = Pick<Collection, 'embeddingModel' | 'previousModels'>;

/** What to select for it. */
export const COLLECTION_MODELS = { embeddingModel: true, previousModels: true } as const;

/** Every model that passages of a collection may be under: the one of now, then earlier ones that its documents have not left yet. */
export function modelsOf({ embeddingModel, previousModels }: CollectionModels): readonly string[] {
  return [embeddingModel, ...previousModels];
}

/**
 * The full name of an embedding model that a request names, the configured one where it names none. Of a provider's other models it is asked whether
 * they exist. Throws `invalid_request` for a model that is not known.
 */
export async function chooseModel(context: Context, name: string | undefined, signal: AbortSignal): Promise<string> {
  const encoder = inField('embeddingModel', () => context.denseEncoder(name));
  if (encoder.isCostly !== true || encoder === context.denseEncoder()) return encoder.model;
  try {
    await dimensionsOf(encoder, { signal });
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'upstream_error')) throw error;
    const message = `The provider of embeddings does not serve "${encoder.model}".`;
    context.log.warn(
      { err: error, model: encoder.model },
      'an embedding model was asked for that the provider refuses',
    );
    throw invalidRequest([{ path: 'embeddingModel', message }]);
  }
  return encoder.model;
}
