import type { ProviderName } from '#provider/provider-failure';

/** Limits of the attempts to call a provider. */
export interface RetrySettings {
  /** The maximum number of attempts at one reply, until its first event. */
  readonly attempts: number;
  /** The total time for attempts and delays. A Retry-After beyond it fails immediately. */
  readonly totalMs: number;
  /** How long a provider can send nothing before the call fails. */
  readonly idleMs: number;
}

/** How to connect to a provider that an admin of a team added. */
export interface ConnectionSettings {
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How error messages refer to it. Default: the environment variables. */
  readonly name?: ProviderName | undefined;
}

/** An Anthropic account, or a server with Anthropic's Messages API. */
export interface AnthropicSettings extends ConnectionSettings {
  readonly apiKey: string;
  /** Without a path. Default: Anthropic. */
  readonly baseUrl?: string | undefined;
}

/** An OpenAI-compatible server: OpenAI, Ollama, vLLM, LM Studio, llama.cpp. */
export interface OpenAiSettings extends ConnectionSettings {
  /** Self-hosted servers often need none. */
  readonly apiKey?: string | undefined;
  /** Ends in `/v1`. Default: OpenAI. */
  readonly baseUrl?: string | undefined;
  /** The models to offer instead of those that the server lists. */
  readonly models?: readonly string[] | undefined;
  /** Context window in tokens of other models that are not known by name. */
  readonly contextWindow?: number | undefined;
}

/** The operator's settings. A provider without settings is not offered. */
export interface ModelSettings {
  /** The model for requests that name none. It must be available. */
  readonly defaultModel?: string | undefined;
  readonly anthropic?: AnthropicSettings | undefined;
  readonly openai?: OpenAiSettings | undefined;
  readonly retry?: Partial<RetrySettings> | undefined;
}
