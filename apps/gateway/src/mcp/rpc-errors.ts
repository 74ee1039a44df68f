import { toAppError } from '@lectern/service-kit';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import type { KeyedCall } from '#pipeline/operation';

/** The code for an unknown resource in revisions up to 2025-11-25. */
const RESOURCE_NOT_FOUND = -32_002;
const SERVER_ERROR = -32_000;

/** Creates the error for invalid params. */
export const invalidParams = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message);

/** Converts an error of a resource or a prompt. An unknown error is logged with its cause, which the client does not get. */
export function rpcError(thrown: unknown, { log, requestId, usage }: KeyedCall, uri?: string): McpError {
  usage.failed = true;
  if (thrown instanceof McpError) return thrown;
  const error = toAppError(thrown);
  if (error.code === 'internal_error') log.error({ err: thrown }, 'MCP request failed');
  if (error.code === 'not_found' && uri !== undefined) {
    return new McpError(RESOURCE_NOT_FOUND, 'The resource does not exist, or you may not read it.', { uri });
  }
  const { code, message } = error;
  return new McpError(code === 'invalid_request' ? ErrorCode.InvalidParams : SERVER_ERROR, message, {
    code,
    requestId,
  });
}
