import { z } from 'zod';
import type { DenseEncoderSettings } from '#dense/dense-provider';

/** What every service that encodes reads from its environment; docs/search.md describes it. */
export const embeddingSettings = {
  EMBEDDING_PROVIDER: z.enum(['builtin', 'openai', 'voyage', 'onnx']).default('builtin'),
  /** The model of collections that name none. */
  EMBEDDING_MODEL: z.string().optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  /** Ends in `/v1`. */
  EMBEDDING_BASE_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).optional(),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(1).max(65_536).optional(),
  EMBEDDING_QUERY_PREFIX: z.string().optional(),
  EMBEDDING_DOCUMENT_PREFIX: z.string().optional(),
  EMBEDDING_MODEL_DIR: z.string().optional(),
  /** Taken for OpenAI itself where EMBEDDING_API_KEY is not set. */
  OPENAI_API_KEY: z.string().optional(),
};

type EmbeddingEnvironment = z.output<z.ZodObject<typeof embeddingSettings>>;

/** The settings of the environment as the encoders take them. OpenAI's key is never sent to another address than OpenAI's. */
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
