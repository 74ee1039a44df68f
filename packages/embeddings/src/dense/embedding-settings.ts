import { z } from 'zod';
import type { DenseEncoderSettings } from '#dense/dense-provider';

/** Environment variables of every service that encodes text. docs/search.md describes them. */
export const embeddingSettings = {
  EMBEDDING_PROVIDER: z.enum(['builtin', 'openai', 'voyage', 'onnx']).default('builtin'),
  /** The model of collections that do not choose one. */
  EMBEDDING_MODEL: z.string().optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  /** Ends in `/v1`. */
  EMBEDDING_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional(),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(1).max(65_536).optional(),
  EMBEDDING_QUERY_PREFIX: z.string().optional(),
  EMBEDDING_DOCUMENT_PREFIX: z.string().optional(),
  EMBEDDING_MODEL_DIR: z.string().optional(),
  /** Used for OpenAI itself if EMBEDDING_API_KEY is not set. */
  OPENAI_API_KEY: z.string().optional(),
};

type EmbeddingEnvironment = z.output<z.ZodObject<typeof embeddingSettings>>;

/**
 * Maps the environment to the settings of the encoders. OpenAI's API key is never sent to another
 * address.
 */
export function encoderSettings(env: EmbeddingEnvironment): DenseEncoderSettings {
  const isOpenAi = env.EMBEDDING_PROVIDER === 'openai' && env.EMBEDDING_BASE_URL === undefined;
  return {
    provider: env.EMBEDDING_PROVIDER,
    model: env.EMBEDDING_MODEL,
    apiKey: env.EMBEDDING_API_KEY ?? (isOpenAi ? env.OPENAI_API_KEY : undefined),
    baseUrl: env.EMBEDDING_BASE_URL,
    dimensions: env.EMBEDDING_DIMENSIONS,
    queryPrefix: env.EMBEDDING_QUERY_PREFIX,
    documentPrefix: env.EMBEDDING_DOCUMENT_PREFIX,
    modelDir: env.EMBEDDING_MODEL_DIR,
  };
}
