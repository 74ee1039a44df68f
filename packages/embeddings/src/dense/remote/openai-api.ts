import type { DenseEncoderSettings } from '#dense/dense-provider';
import type { EmbeddingsApi } from '#dense/remote/embeddings-api';
import { createEndpoint, vectorSpace } from '#dense/remote/endpoint-settings';

const OPENAI = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'text-embedding-3-small';

/** OpenAI allows 2,048 texts and 300,000 tokens per request. Smaller requests run in parallel. */
const OPENAI_BATCH = { texts: 256, tokens: 100_000 };
/** By default TEI rejects more than 32 texts. Other servers allow at least as many. */
const BATCH = { texts: 32, tokens: 30_000 };

/**
 * Describes `POST /embeddings` of OpenAI and of compatible servers: Ollama, TEI, vLLM, LM Studio.
 */
export function openAiApi(settings: DenseEncoderSettings): EmbeddingsApi {
  const { model = DEFAULT_MODEL, dimensions, baseUrl, queryPrefix = '', documentPrefix = '' } = settings;
  const prefixes = { query: queryPrefix, document: documentPrefix };
  return {
    endpoint: createEndpoint(settings, OPENAI),
    space: vectorSpace('openai', model, dimensions),
    batch: baseUrl === undefined ? OPENAI_BATCH : BATCH,
    requestBody: (texts, kind) => ({
      model,
      input: texts.map((text) => prefixes[kind] + text),
      // A quarter of the size, but not every compatible server supports it.
      encoding_format: baseUrl === undefined ? 'base64' : 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
    }),
  };
}
