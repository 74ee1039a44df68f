import type Anthropic from '@anthropic-ai/sdk';
import type { APIError } from '@anthropic-ai/sdk';
import type { AnthropicSettings } from '#provider/model-settings';
import {
  configuredProvider,
  failureOf,
  failureOfAnswer,
  failureOfConnection,
  failureOfGuard,
  type ProviderFailure,
  type ProviderName,
} from '#provider/provider-failure';
import { requestedDelayMs } from '#provider/requested-delay';
import { unsetHeaders } from '#provider/unset-headers';

/** Anthropic's client and the translation of its errors. */
export interface AnthropicAccess {
  readonly client: Anthropic;
  readonly name: ProviderName;
  failureOf(error: unknown): ProviderFailure;
}

/**
 * Creates a client that neither logs nor retries. The SDK is loaded only in processes that use it.
 */
export async function connectAnthropic({
  apiKey,
  baseUrl,
  ...connection
}: AnthropicSettings): Promise<AnthropicAccess> {
  const sdk = await import('@anthropic-ai/sdk');
  const name = connection.name ?? configuredProvider('Anthropic', 'ANTHROPIC');
  const client = new sdk.default({
    apiKey,
    authToken: null,
    baseURL: rootOf(baseUrl ?? 'https://api.anthropic.com'),
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    ...(connection.name === undefined
      ? {}
      : { defaultHeaders: { ...unsetHeaders('ANTHROPIC_CUSTOM_HEADERS'), 'x-api-key': apiKey } }),
    ...(connection.fetch === undefined ? {} : { fetch: connection.fetch }),
  });
  return {
    client,
    name,
    failureOf(error) {
      const guarded = failureOfGuard(error);
      if (guarded !== undefined) return guarded;
      if (error instanceof sdk.APIConnectionError) return failureOfConnection(name, error);
      if (error instanceof sdk.APIError) return failureOf(name, faultOf(error));
      return failureOfAnswer(name, error);
    },
  };
}

function faultOf({ status, type, apiMessage, headers, requestID }: APIError) {
  const retryAfterMs = requestedDelayMs(headers);
  return {
    status,
    type: type ?? undefined,
    message: apiMessage ?? undefined,
    requestId: requestID ?? undefined,
    retryAfterMs,
  };
}

/** Removes `/v1`, because the client adds it. */
function rootOf(url: string): string {
  return url.replace(/\/+$/, '').replace(/\/v1$/, '');
}
