import type { IncomingMessage } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import type { Context } from '#context';
import type { ApiResponse } from '#http/api-response';
import { readerOf } from '#http/body/reader';
import { createMcpServer } from '#mcp/create-server';
import { withErrorData, withParamsError } from '#mcp/errors';
import { messageBody } from '#mcp/message-body';
import type { KeyedCall, KeyedOperation, RawRequest } from '#pipeline/operation';

const reader = readerOf(messageBody);

/**
 * A tool that takes longer is cancelled. The same as the deadline of a call to a language model.
 */
const DEADLINE_MS = 120_000;

/**
 * Converts the head of a request for the transport. The gateway reads the body within its own
 * limits.
 */
function headOf({ headers }: IncomingMessage): Request {
  const selected = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'last-event-id']) {
    const value = headers[name];
    if (typeof value === 'string') selected.set(name, value);
  }
  return new Request('http://lectern.invalid/mcp', { method: 'POST', headers: selected });
}

async function handleMessage(ctx: Context, { message, body }: RawRequest, call: KeyedCall): Promise<ApiResponse> {
  const parsedBody = await reader.read(body.open(), ctx.config);
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(DEADLINE_MS)]);
  const server = createMcpServer(ctx, { ...call, signal });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(headOf(message), { parsedBody });
    const contentType = response.headers.get('content-type');
    const sent = Buffer.from(await response.arrayBuffer());
    const { status } = response;
    if (!response.ok) return { kind: 'bytes', status, contentType, bytes: withErrorData(sent, call.requestId) };
    // The response to a notification has no body.
    const bytes = sent.length === 0 ? sent : withParamsError(sent, parsedBody);
    return { kind: 'bytes', status, contentType, bytes };
  } finally {
    await server.close();
  }
}

/**
 * The Model Context Protocol over streamable HTTP without sessions: each message is independent, so
 * any replica can handle it. It is admitted like an operation for secret keys, but is not in the
 * table of operations, because its responses have the format of MCP.
 */
export const mcpEndpoint: KeyedOperation = {
  id: 'mcp',
  method: 'post',
  path: '/mcp',
  summary: 'Send a message of the Model Context Protocol',
  description: 'Handles one JSON-RPC message.',
  access: 'secret',
  params: z.object({}),
  query: z.object({}),
  body: { ...messageBody, ...reader },
  success: 200,
  run: handleMessage,
};
