import type OpenAI from 'openai';
import type { APIError } from 'openai';
import type { OpenAiSettings } from '#provider/model-settings';
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

/** The client of an OpenAI-compatible server and the translation of its errors. */
export interface OpenAiAccess {
  readonly client: OpenAI;
  readonly name: ProviderName;
  failureOf(error: unknown): ProviderFailure;
  /** The server's message if it rejected the request with status 400 or 422. */
  rejectionOf(error: unknown): string | undefined;
}

/**
 * Creates a client that neither logs nor retries. The SDK is loaded only in processes that use it.
 */
export async function connectOpenAi({ apiKey, baseUrl, ...connection }: OpenAiSettings): Promise<OpenAiAccess> {
  const sdk = await import('openai');
  const name = connection.name ?? configuredProvider(baseUrl === undefined ? 'OpenAI' : 'The model server', 'OPENAI');
  const isOfTeam = connection.name !== undefined;
  const client = new sdk.default({
    // The client requires a key. For servers without keys, the header is removed.
    apiKey: apiKey ?? 'none',
    baseURL: (baseUrl ?? 'https://api.openai.com/v1').replace(/\/+$/, ''),
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    defaultHeaders: {
      ...(isOfTeam ? unsetHeaders('OPENAI_CUSTOM_HEADERS') : {}),
      ...(isOfTeam && apiKey !== undefined ? { authorization: `Bearer ${apiKey}` } : {}),
      ...(apiKey === undefined ? { authorization: null } : {}),
    },
    ...(connection.fetch === undefined ? {} : { fetch: connection.fetch }),
  });
  return {
    client,
    name,
    failureOf(error) {
      const guarded = failureOfGuard(error);
      if (guarded !== undefined) return guarded;
      if (error instanceof sdk.APIConnectionError) return failureOfConnection(name, error);
      if (error instanceof sdk.APIError) {
        const { code, type, message, headers, requestID } = error;
        const codes = [type, code].filter(Boolean).join(' ');
        return failureOf(name, {
          status: statusOf(error),
          type: codes,
          message,
          requestId: requestID ?? undefined,
          retryAfterMs: requestedDelayMs(headers),
        });
      }
      return failureOfAnswer(name, error);
    },
    rejectionOf(error) {
      if (!(error instanceof sdk.APIError)) return undefined;
      const status = statusOf(error);
      return status === 400 || status === 422 ? `${error.message} ${error.param ?? ''}` : undefined;
    },
  };
}

/**
 * Returns the status of an error. Within a stream, servers like vLLM send it as the error's code.
 */
function statusOf({ status, code }: APIError): number | undefined {
  const known = status ?? Number(code);
  return known >= 400 && known <= 599 ? known : status;
}
