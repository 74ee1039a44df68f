import type OpenAI from 'openai';
import type { APIError } from 'openai';
import {
  failureOf,
  failureOfAnswer,
  failureOfConnection,
  type ProviderFailure,
  type ProviderName,
} from '#provider/provider-failure';
import { readRetryAfter } from '#provider/retry-after';
import type { OpenAiSettings } from '#registry/model-settings';

/** The client of a server of Chat Completions, and what its errors mean. */
export interface OpenAiAccess {
  readonly client: OpenAI;
  readonly name: ProviderName;
  failureOf(error: unknown): ProviderFailure;
  /** The server's words about a request that it refused with status 400. */
  refusalOf(error: unknown): string | undefined;
}

/** Loads the client at its first use. It neither logs nor tries again by itself. */
export async function connectOpenAi({ apiKey, baseUrl }: OpenAiSettings): Promise<OpenAiAccess> {
  const sdk = await import('openai');
  const name = { name: baseUrl === undefined ? 'OpenAI' : 'The model server', settings: 'OPENAI' };
  const client = new sdk.default({
    // The client insists on a key; servers that take none get no header.
    apiKey: apiKey ?? 'none',
    baseURL: (baseUrl ?? 'https://api.openai.com/v1').replace(/\/+$/, ''),
    organization: null,
    project: null,
    maxRetries: 0,
    logLevel: 'off',
    ...(apiKey === undefined ? { defaultHeaders: { authorization: null } } : {}),
  });
  return {
    client,
    name,
    failureOf(error) {
      if (error instanceof sdk.APIConnectionError) return failureOfConnection(name, error);
      if (error instanceof sdk.APIError) {
        const { code, type, message, headers, requestID } = error;
        const codes = [type, code].filter(Boolean).join(' ');
        return failureOf(name, {
          status: statusOf(error),
          type: codes,
          message,
          requestId: requestID ?? undefined,
          retryAfterMs: readRetryAfter(headers),
        });
      }
      return failureOfAnswer(name, error);
    },
    refusalOf(error) {
      if (!(error instanceof sdk.APIError)) return undefined;
      const status = statusOf(error);
      return status === 400 || status === 422 ? `${error.message} ${error.param ?? ''}` : undefined;
    },
  };
}

/** The status of an error; one within a stream has none, but servers such as vLLM write it down as the error's code. */
function statusOf({ status, code }: APIError): number | undefined {
  const told = status ?? Number(code);
  return told >= 400 && told <= 599 ? told : status;
}
