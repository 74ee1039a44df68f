import type { IncomingMessage } from 'node:http';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { z } from 'zod';
import type { Context } from '#context';
import type { Answer } from '#http/answer';
import { readerOf } from '#http/body/reader';
import { createMcpServer } from '#mcp/create-server';
import { messageBody } from '#mcp/message-body';
import { withParamsError } from '#mcp/params-error';
import { withRefusalData } from '#mcp/transport-refusal';
import type { KeyedCall, KeyedOperation, RawRequest } from '#pipeline/operation';

const reader = readerOf(messageBody);

/** A tool that takes longer is broken off. As long as a call that waits on a language model may take. */
const DEADLINE_MS = 120_000;

/** The request as the transport reads it: its head alone, since the body is read within our limits. */
function headOf({ headers }: IncomingMessage): Request {
  const read = new Headers();
  for (const name of ['accept', 'content-type', 'mcp-protocol-version', 'last-event-id']) {
    const value = headers[name];
    if (typeof value === 'string') read.set(name, value);
  }
  return new Request('http://lectern.invalid/mcp', { method: 'POST', headers: read });
}

async function answerMessage(ctx: Context, { message, body }: RawRequest, call: KeyedCall): Promise<Answer> {
  const parsedBody = await reader.read(body.open(), ctx.config);
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(DEADLINE_MS)]);
  const server = createMcpServer(ctx, { ...call, signal });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  try {
    await server.connect(transport);
    const answer = await transport.handleRequest(headOf(message), { parsedBody });
    const contentType = answer.headers.get('content-type');
    const sent = Buffer.from(await answer.arrayBuffer());
    const { status } = answer;
    if (!answer.ok) return { kind: 'bytes', status, contentType, bytes: withRefusalData(sent, call.requestId) };
    // A notification is answered without a word.
    const bytes = sent.length === 0 ? sent : withParamsError(sent, parsedBody);
    return { kind: 'bytes', status, contentType, bytes };
  } finally {
    await server.close();
  }
}

/**
 * The Model Context Protocol's streamable HTTP without sessions: each message stands for itself and any replica can answer it. It is
 * let in like any operation that needs a secret key; it is none of the API's own, since what it answers has MCP's form.
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
  run: answerMessage,
};
