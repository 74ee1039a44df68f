/** How long and how often a provider is tried. */
export interface ModelPatience {
  /** Most tries of one reply, until its first event. */
  readonly tries: number;
  /** Milliseconds for all tries with the pauses between them; a Retry-After beyond it ends the call at once. */
  readonly totalMs: number;
  /** Milliseconds without a sign of life after which a call is given up. */
  readonly idleMs: number;
}

/** An account at Anthropic, or at an address that speaks its Messages API. */
export interface AnthropicSettings {
  readonly apiKey: string;
  /** Without a path; Anthropic itself where it is left out. */
  readonly baseUrl?: string | undefined;
}

/** A server that speaks OpenAI's Chat Completions: OpenAI, Ollama, vLLM, LM Studio, llama.cpp. */
export interface OpenAiSettings {
  /** Servers of one's own often take none. */
  readonly apiKey?: string | undefined;
  /** Ends in `/v1`; OpenAI itself where it is left out. */
  readonly baseUrl?: string | undefined;
  /** The models to offer, in place of those that the server lists. */
  readonly models?: readonly string[] | undefined;
  /** Tokens of the window of models that are not known by name. */
  readonly contextWindow?: number | undefined;
}

/** What the operator set. A provider is offered when its settings are here. */
export interface ModelSettings {
  /** The model of requests that name none; must be one that is offered. */
  readonly defaultModel?: string | undefined;
  readonly anthropic?: AnthropicSettings | undefined;
  readonly openai?: OpenAiSettings | undefined;
  readonly patience?: Partial<ModelPatience> | undefined;
}
