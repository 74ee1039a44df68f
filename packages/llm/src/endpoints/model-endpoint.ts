import { createBoundedFetch } from '@lectern/egress';
import { AppError } from '@lectern/service-kit';
import { createAnthropicModelFactory } from '#anthropic/anthropic-model';
import { anthropicInfo } from '#anthropic/anthropic-models';
import type { ChatModel } from '#model/chat-model';
import type { ModelInfo } from '#model/model-info';
import { createOpenAiModelFactory, openAiInfo } from '#openai/openai-models';
import type { AnthropicSettings, ConnectionSettings, OpenAiSettings, RetrySettings } from '#provider/model-settings';
import { endpointProvider } from '#provider/provider-failure';

/** The protocols of endpoints. */
export const ENDPOINT_PROVIDERS = ['anthropic', 'openai'] as const;

export type EndpointProvider = (typeof ENDPOINT_PROVIDERS)[number];

/** The largest response of an endpoint, in bytes. */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

/** Where the models of an endpoint run. */
export interface EndpointAddress {
  /** The name that the admin gave it, for error messages. */
  readonly name: string;
  readonly provider: EndpointProvider;
  /** Default: the provider's own. */
  readonly baseUrl: string | undefined;
}

/** A model that an admin chose. Known models have a window of their own. */
export interface EndpointModel {
  readonly id: string;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
}

/** What all endpoints of a service use. */
export interface EndpointOptions {
  /** Checks each address. */
  readonly fetch: typeof globalThis.fetch;
  readonly retry?: Partial<RetrySettings> | undefined;
}

/** Returns the sizes of a model of an endpoint. */
export const endpointInfo = (
  { provider }: Pick<EndpointAddress, 'provider'>,
  { id, contextWindow }: EndpointModel,
): ModelInfo => (provider === 'anthropic' ? anthropicInfo(id, contextWindow) : openAiInfo(id, contextWindow));

function connectionOf(
  { name, baseUrl }: EndpointAddress,
  { fetch }: EndpointOptions,
): ConnectionSettings & Pick<EndpointAddress, 'baseUrl'> {
  const provider = endpointProvider(name);
  const bounded = createBoundedFetch(fetch, { maxBytes: MAX_RESPONSE_BYTES, server: provider.name });
  return { name: provider, baseUrl, fetch: bounded };
}

/** Returns the settings of an OpenAI-compatible endpoint, which can work without a key. */
export const openAiSettings = (
  address: EndpointAddress,
  apiKey: string | undefined,
  options: EndpointOptions,
): OpenAiSettings => ({ ...connectionOf(address, options), apiKey });

/** Returns the settings of an Anthropic endpoint. Throws AppError `upstream_error` without a key. */
export function anthropicSettings(
  address: EndpointAddress,
  apiKey: string | undefined,
  options: EndpointOptions,
): AnthropicSettings {
  if (apiKey !== undefined) return { ...connectionOf(address, options), apiKey };
  throw new AppError(
    'upstream_error',
    `The model endpoint “${address.name}” has no API key. Enter its key on the page Models.`,
  );
}

/** Creates a model of an endpoint, without calling the endpoint. Throws AppError if it needs a key and has none. */
export function createEndpointModel(
  address: EndpointAddress,
  apiKey: string | undefined,
  model: EndpointModel,
  options: EndpointOptions,
): ChatModel | Promise<ChatModel> {
  const info = endpointInfo(address, model);
  const { retry = {} } = options;
  return address.provider === 'anthropic'
    ? createAnthropicModelFactory(anthropicSettings(address, apiKey, options), retry)(info)
    : createOpenAiModelFactory(openAiSettings(address, apiKey, options), retry)(info);
}
