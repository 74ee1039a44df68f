import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { httpStatusOfCode } from '@lectern/contracts';
import type { AppError } from '@lectern/service-kit';
import { jsonBytes } from '#http/json-bytes';
import { jsonInPieces, longTextsOf } from '#http/long-text';

/** The page of a list. */
export interface PageMeta {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly hasMore: boolean;
}

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** The id of the current request. */
export function requestIdOf(response: ServerResponse): string {
  return String(response.getHeader(REQUEST_ID_HEADER));
}

function metaOf(response: ServerResponse, page?: PageMeta): object {
  return { requestId: requestIdOf(response), timestamp: new Date().toISOString(), ...page };
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  const bytes = jsonBytes(body);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** Sends a record with long texts in chunks. Stops if the client disconnects. */
async function sendLong(response: ServerResponse, status: number, data: object, meta: object): Promise<void> {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(jsonInPieces(data, (value) => ({ data: value, meta }))), response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}

/** Sends `data` and `meta`. */
export async function sendData(
  response: ServerResponse,
  status: number,
  data: unknown,
  page?: PageMeta,
): Promise<void> {
  const meta = metaOf(response, page);
  const isLong = typeof data === 'object' && data !== null && longTextsOf(data).length > 0;
  if (isLong) await sendLong(response, status, data, meta);
  else sendJson(response, status, { data, meta });
}

/** A dependency that restarts or fails over is back within seconds. */
const UNAVAILABLE_RETRY_SECONDS = 1;

/** Sends `error` and `meta`. */
export function sendError(response: ServerResponse, { code, message, details }: AppError): void {
  const retryAfter = details?.retryAfter;
  if (code === 'rate_limited' && typeof retryAfter === 'number') response.setHeader('Retry-After', retryAfter);
  if (code === 'unavailable') response.setHeader('Retry-After', UNAVAILABLE_RETRY_SECONDS);
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  sendJson(response, httpStatusOfCode(code), { error, meta: metaOf(response) });
}
