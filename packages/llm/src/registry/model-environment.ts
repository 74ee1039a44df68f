import { z } from 'zod';
import type { ModelSettings } from '#registry/model-settings';

const address = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).optional();

/** What every service that calls models reads from its environment; docs/models.md describes it. */
export const modelEnvironment = {
  /** The model of requests that name none. */
  CHAT_MODEL: z.string().optional(),
  ANTHROPIC_API_KEY: z.string().optional(),
  /** Without a path. */
  ANTHROPIC_BASE_URL: address,
  OPENAI_API_KEY: z.string().optional(),
  /** Ends in `/v1`. */
  OPENAI_BASE_URL: address,
  /** Names with commas between them: offered in place of those that the server lists. */
  OPENAI_MODELS: z
    .string()
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.string().min(1, 'must be names of models with commas between them')).min(1))
    .optional(),
  /** Tokens of the window of models that neither we nor the server say anything of. */
  OPENAI_CONTEXT_WINDOW: z.coerce.number().int().min(1_024).max(10_000_000).optional(),
  /** Milliseconds without a sign of life after which a model's reply is given up. */
  MODEL_IDLE_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(600_000).default(90_000),
  /** Milliseconds that tries and pauses of an overloaded provider may take together. */
  MODEL_RETRY_MS: z.coerce.number().int().min(0).max(600_000).default(30_000),
};

type ModelEnvironment = z.output<z.ZodObject<typeof modelEnvironment>>;

/** The settings of the environment as `createModels` takes them. A server of Chat Completions is there once it has a key or an address. */
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
    patience: { idleMs: env.MODEL_IDLE_TIMEOUT_MS, totalMs: env.MODEL_RETRY_MS },
  };
}
