import type Anthropic from '@anthropic-ai/sdk';
import type { APIError } from '@anthropic-ai/sdk';
import type { AnthropicSettings } from '#provider/model-settings';
import {
  failureOf,
  failureOfAnswer,
  failureOfConnection,
  type ProviderFailure,
  type ProviderName,
} from '#provider/provider-failure';
import { requestedDelayMs } from '#provider/requested-delay';

export const ANTHROPIC: ProviderName = { name: 'Anthropic', settings: 'ANTHROPIC' };

/** Anthropic's client and the translation of its errors. */
export interface AnthropicAccess {
  readonly client: Anthropic;
  failureOf(error: unknown): ProviderFailure;
}

/**
 * Creates a client that neither logs nor retries. The SDK is loaded only in processes that use it.
 */
export async function connectAnthropic({ apiKey, baseUrl }: AnthropicSettings): Promise<AnthropicAccess> {
  const sdk = await import('@anthropic-ai/sdk');
  const client = new sdk.default({
    apiKey,
    authToken: null,
    baseURL: rootOf(baseUrl ?? 'https://api.anthropic.com'),
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
  });
  return {
    client,
    failureOf(error) {
      if (error instanceof sdk.APIConnectionError) return failureOfConnection(ANTHROPIC, error);
      if (error instanceof sdk.APIError) return failureOf(ANTHROPIC, faultOf(error));
      return failureOfAnswer(ANTHROPIC, error);
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
