import type { IncomingMessage } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import type { Context } from '#context';
import type { ApiResponse } from '#http/api-response';
import { readerOf } from '#http/body/reader';
import { createMcpServer } from '#mcp/create-server';
import { withErrorData, withParamsError } from '#mcp/errors';
import { messageBody } from '#mcp/message-body';
import { newClientName } from '#mcp/open-requests';
import { requireScope } from '#mcp/require-scope';
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

const progressToken = z.union([z.string(), z.number()]);
const withProgress = z.object({ params: z.object({ _meta: z.object({ progressToken }) }) });

/** True if the client wants to know the progress, which needs a stream. */
const wantsProgress = (message: unknown): boolean => withProgress.safeParse(message).success;

async function handleMessage(ctx: Context, { message, body }: RawRequest, call: KeyedCall): Promise<ApiResponse> {
  const parsedBody = await reader.read(body.open(), ctx.config);
  requireScope(call, parsedBody);
  ctx.mcpRequests.cancel(call, parsedBody);
  const isStream = wantsProgress(parsedBody);
  const open = ctx.mcpRequests.start(call, parsedBody);
  const signal = AbortSignal.any([call.signal, open.signal, AbortSignal.timeout(DEADLINE_MS)]);
  // A response that is never sent does not call `end`.
  signal.addEventListener('abort', open.end, { once: true });
  const server = createMcpServer(ctx, { ...call, signal });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream });
  const end = async () => {
    open.end();
    await server.close();
  };
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(headOf(message), { parsedBody });
    const contentType = response.headers.get('content-type');
    const { status } = response;
    if (isStream && response.ok && response.body !== null) {
      return { kind: 'body', status, contentType, body: response.body, onEnd: end };
    }
    const sent = Buffer.from(await response.arrayBuffer());
    await end();
    if (!response.ok) return { kind: 'bytes', status, contentType, bytes: withErrorData(sent, call.requestId) };
    // The response to a notification has no body.
    const bytes = sent.length === 0 ? sent : withParamsError(sent, parsedBody);
    const headers = parsedBody.method === 'initialize' ? { 'Mcp-Session-Id': newClientName() } : {};
    return { kind: 'bytes', status, contentType, bytes, headers };
  } catch (error) {
    await end();
    throw error;
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
