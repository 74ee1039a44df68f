import type { ServerResponse } from 'node:http';
import { httpStatusOfCode } from '@lectern/contracts';
import { type AppError, toAppError } from '@lectern/service-kit';
import { z } from 'zod';
import { requestIdOf } from '#http/envelope';

/** An error in OpenAI's form. */
export interface OpenAiError {
  readonly message: string;
  readonly type: string;
  /** The field of the request that is wrong. */
  readonly param: string | null;
  readonly code: string | null;
  readonly request_id: string;
}

const issues = z.array(z.object({ path: z.string(), message: z.string() })).min(1);

/** The names that the services have for fields of OpenAI's requests. */
const PARAMS: ReadonlyMap<string, string> = new Map([
  ['message', 'messages'],
  ['maxTokens', 'max_tokens'],
  ['collectionIds', 'collections'],
]);

/** The codes that OpenAI has another name for. */
const CODES: Partial<Record<AppError['code'], string>> = {
  unauthorized: 'invalid_api_key',
  invalid_key: 'invalid_api_key',
  key_expired: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
};

function typeOf({ code }: AppError, status: number): string {
  if (code === 'rate_limited') return 'rate_limit_error';
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}

const isUnknownModel = ({ code, details }: AppError): boolean => code === 'not_found' && details?.resource === 'model';

/** A budget that is used up allows no retry before the next month. */
const isBudget = ({ code, details }: AppError): boolean => code === 'rate_limited' && details?.budget !== undefined;

function bodyOf(error: AppError, requestId: string): OpenAiError {
  const { code, message, details } = error;
  const found = issues.safeParse(details?.issues);
  const path = found.success ? found.data[0]?.path : undefined;
  const param = path === undefined ? null : (PARAMS.get(path) ?? path);
  const common = { message, request_id: requestId };
  if (isUnknownModel(error)) {
    return { ...common, type: 'invalid_request_error', param: 'model', code: 'model_not_found' };
  }
  if (isBudget(error)) return { ...common, type: 'insufficient_quota', param: null, code: 'insufficient_quota' };
  const known = CODES[code] ?? code;
  return {
    ...common,
    type: typeOf(error, httpStatusOfCode(code)),
    param,
    code: code === 'invalid_request' ? null : known,
  };
}

/** Converts an error. One that interrupts a stream has the status of its HTTP response. */
export const openAiError = (thrown: unknown, requestId: string): OpenAiError => bodyOf(toAppError(thrown), requestId);

/** A dependency that restarts or fails over is back within seconds. */
const UNAVAILABLE_RETRY_SECONDS = 1;

/** Sends `error` in OpenAI's form, with the headers by which its clients decide whether to retry. */
export function sendOpenAiError(response: ServerResponse, error: AppError): void {
  const { code, details } = error;
  const retryAfter = details?.retryAfter;
  if (code === 'rate_limited' && typeof retryAfter === 'number') response.setHeader('Retry-After', retryAfter);
  if (code === 'unavailable') response.setHeader('Retry-After', UNAVAILABLE_RETRY_SECONDS);
  // Otherwise the clients repeat requests that cannot succeed.
  if (isBudget(error) || code === 'conflict') response.setHeader('X-Should-Retry', 'false');
  const bytes = Buffer.from(JSON.stringify({ error: openAiError(error, requestIdOf(response)) }));
  response.statusCode = httpStatusOfCode(code);
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}
