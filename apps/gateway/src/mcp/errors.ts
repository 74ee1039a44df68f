import type { ServerResponse } from 'node:http';
import { httpStatusOfCode } from '@lectern/contracts';
import type { AppError } from '@lectern/service-kit';
import { ClientRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { NotJson } from '#http/body/not-json';
import { requestIdOf } from '#http/envelope';
import type { AppUrls } from '#identity/app-urls';
import { challengeOf } from '#mcp/challenge';

/** The error codes of JSON-RPC 2.0, 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INVALID_PARAMS = -32_602;
const INTERNAL_ERROR = -32_603;
const SERVER_ERROR = -32_000;

const INVALID: readonly AppError['code'][] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];

function rpcCodeOf(error: AppError): number {
  if (error instanceof NotJson) return PARSE_ERROR;
  return INVALID.includes(error.code) ? INVALID_REQUEST : SERVER_ERROR;
}

/**
 * Rejects a message before it is read: the HTTP status of the API, and a JSON-RPC error without an
 * id that contains the error of the API in `data`. `urls` are those of the authorization server.
 */
export function sendMcpError(response: ServerResponse, appError: AppError, urls: AppUrls | undefined): void {
  const { code, message, details } = appError;
  const data = { code, requestId: requestIdOf(response), ...(details === undefined ? {} : { details }) };
  const error = { code: rpcCodeOf(appError), message, data };
  const bytes = Buffer.from(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
  const status = httpStatusOfCode(code);
  const challenge = challengeOf(appError, status, urls);
  if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge);
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length });
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

const transportError = z.object({ error: z.object({ code: z.int(), message: z.string() }) });

/**
 * Adds `data` to an error of the transport itself, for example about the protocol version or
 * `Accept`.
 */
export function withErrorData(bytes: Buffer, requestId: string): Buffer {
  const { error } = transportError.parse(JSON.parse(bytes.toString()));
  const data = { code: 'invalid_request', requestId };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { ...error, data }, id: null }));
}

const internalError = z.object({ id: z.unknown().optional(), error: z.object({ code: z.literal(INTERNAL_ERROR) }) });

/**
 * Replaces the internal error that the library returns for invalid params by the code that JSON-RPC
 * defines for them.
 */
export function withParamsError(bytes: Buffer, message: { readonly method?: string | undefined }): Buffer {
  // The library reports unknown methods.
  if (ClientRequestSchema.safeParse(message).success) return bytes;
  const failed = internalError.safeParse(JSON.parse(bytes.toString()));
  if (!failed.success) return bytes;
  const error = { code: INVALID_PARAMS, message: `Invalid params for ${message.method}.` };
  return Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: failed.data.id, error }));
}
