import { z } from 'zod';
import type { DenseEncoderSettings } from '#dense/dense-provider';

/** Environment variables of every service that runs models in its process. */
export const localModelSettings = {
  /** The folder of downloaded models. */
  MODELS_DIR: z.string().optional(),
  /** CPU threads of one model; half of the cores by default. */
  MODEL_THREADS: z.coerce.number().int().min(1).max(256).optional(),
};

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
  /** For `onnx`; by default, the model's files and its family decide. */
  EMBEDDING_DTYPE: z.enum(['fp32', 'fp16', 'q8']).optional(),
  EMBEDDING_POOLING: z.enum(['mean', 'cls', 'last']).optional(),
  EMBEDDING_MAX_TOKENS: z.coerce.number().int().min(8).max(8_192).optional(),
  ...localModelSettings,
  /** Used for OpenAI itself if EMBEDDING_API_KEY is not set. */
  OPENAI_API_KEY: z.string().optional(),
};

type EmbeddingEnvironment = z.output<z.ZodObject<typeof embeddingSettings>>;

/**
 * Maps the environment to the settings of the encoders. OpenAI's API key is never sent to another
 * address.
 */
export function encoderSettings(env: EmbeddingEnvironment, log?: DenseEncoderSettings['log']): DenseEncoderSettings {
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
    modelsDir: env.MODELS_DIR,
    precision: env.EMBEDDING_DTYPE,
    pooling: env.EMBEDDING_POOLING,
    maxTokens: env.EMBEDDING_MAX_TOKENS,
    threads: env.MODEL_THREADS,
    log,
  };
}
