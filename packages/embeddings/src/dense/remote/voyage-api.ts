import type { DenseEncoderSettings } from '#dense/dense-provider';
import type { EmbeddingsApi } from '#dense/remote/embeddings-api';
import { createEndpoint, vectorSpace } from '#dense/remote/endpoint-settings';

const VOYAGE = 'https://api.voyageai.com/v1';
const DEFAULT_MODEL = 'voyage-3.5';

/** Voyage allows 1,000 texts per request, and 120,000 tokens for its largest models. */
const BATCH = { texts: 128, tokens: 60_000 };

/** Describes `POST /embeddings` of Voyage AI, which encodes queries and documents differently. */
export function voyageApi(settings: DenseEncoderSettings): EmbeddingsApi {
  const { model = DEFAULT_MODEL, dimensions } = settings;
  return {
    endpoint: createEndpoint(settings, VOYAGE),
    space: vectorSpace('voyage', model, dimensions),
    batch: BATCH,
    requestBody: (input, input_type) => ({
      model,
      input,
      input_type,
      truncation: true,
      ...(dimensions === undefined ? {} : { output_dimension: dimensions }),
    }),
  };
}
