import { z } from 'zod';
import type { ModelSettings } from '#provider/model-settings';

const url = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).optional();

/** Environment variables of every service that calls models; see docs/models.md. */
export const modelEnvironment = {
  /** The model for requests that name none. */
  CHAT_MODEL: z.string().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  /** Without a path. */
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: z.string().optional(),
  /** Ends in `/v1`. */
  OPENAI_BASE_URL: url,
  /** Comma-separated names, instead of those that the server lists. */
  OPENAI_MODELS: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().min(1, 'must be model names separated by commas')).min(1))
    .optional(),
  /** Context window in tokens of models whose window is unknown. */
  OPENAI_CONTEXT_WINDOW: z.coerce.number().int().min(1_024).max(10_000_000).optional(),
  /** How long a model can send nothing before its reply fails. */
  MODEL_IDLE_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(600_000).default(90_000),
  /** The total time for attempts and delays while a provider is overloaded. */
  MODEL_RETRY_MS: z.coerce.number().int().min(0).max(600_000).default(30_000),
};

type ModelEnvironment = z.output<z.ZodObject<typeof modelEnvironment>>;

/**
 * Converts the environment to settings. An OpenAI-compatible server is configured if a key or a
 * base URL is set.
 */
export function modelSettings(env: ModelEnvironment): ModelSettings {
  const hasServer = env.OPENAI_API_KEY !== undefined || env.OPENAI_BASE_URL !== undefined;
  return {
    defaultModel: env.CHAT_MODEL,
    anthropic:
      env.ANTHROPIC_API_KEY === undefined
        ? undefined
        : { apiKey: env.ANTHROPIC_API_KEY, baseUrl: env.ANTHROPIC_BASE_URL },
    openai: hasServer
      ? {
          apiKey: env.OPENAI_API_KEY,
          baseUrl: env.OPENAI_BASE_URL,
          models: env.OPENAI_MODELS,
          contextWindow: env.OPENAI_CONTEXT_WINDOW,
        }
      : undefined,
    retry: { idleMs: env.MODEL_IDLE_TIMEOUT_MS, totalMs: env.MODEL_RETRY_MS },
  };
}
