import type { ServerResponse } from 'node:http';
import { type AppError, httpStatusOfCode } from '@lectern/service-kit';

/** Where a list's answer stands in the whole. */
export interface PageMeta {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly hasMore: boolean;
}

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** The id of the request that is being answered. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader(REQUEST_ID_HEADER));
}

function metaOf(response: ServerResponse, page?: PageMeta): object {
  return { requestId: requestIdOf(response), timestamp: new Date().toISOString(), ...page };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** Answers with `data` and `meta`. */
export function sendData(response: ServerResponse, status: number, data: unknown, page?: PageMeta): void {
  sendJson(response, status, { data, meta: metaOf(response, page) });
}

/** Answers with `error` and `meta`. */
export function sendError(response: ServerResponse, { code, message, details }: AppError): void {
  const retryAfter = details?.retryAfter;
  if (code === 'rate_limited' && typeof retryAfter === 'number') response.setHeader('Retry-After', retryAfter);
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  sendJson(response, httpStatusOfCode(code), { error, meta: metaOf(response) });
}
