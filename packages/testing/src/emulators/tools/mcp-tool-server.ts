import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** A tool of the server. */
export interface McpTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: { readonly type: 'object'; readonly [field: string]: unknown };
  readonly annotations?: { readonly readOnlyHint?: boolean };
  /** Returns the text of the result, or fails. */
  readonly run: (input: Record<string, unknown>) => string | Promise<string>;
}

/** A call that the server executed. */
export interface McpToolCall {
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
  readonly session: string | undefined;
}

/** An MCP server over streamable HTTP, with the official SDK and sessions. */
export interface McpToolServer {
  readonly url: string;
  /** The executed calls in order. */
  readonly calls: readonly McpToolCall[];
  /** The open sessions. */
  readonly sessions: number;
  /** Replaces the tools, for the next listing. */
  offer(tools: readonly McpTool[]): void;
  stop(): Promise<void>;
}

/** Starts a server. With `token`, it rejects requests without this bearer token. */
export async function startMcpToolServer(
  tools: readonly McpTool[],
  { token }: { readonly token?: string } = {},
): Promise<McpToolServer> {
  let offered = tools;
  const calls: McpToolCall[] = [];
  const transports = new Map<string, StreamableHTTPServerTransport>();

  const createSession = async (): Promise<StreamableHTTPServerTransport> => {
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: offered.map(({ run: _run, ...tool }) => tool),
    }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestInfo, sessionId }) => {
      const tool = offered.find(({ name }) => name === params.name);
      if (tool === undefined) throw new Error(`Unknown tool ${params.name}`);
      const input = params.arguments ?? {};
      calls.push({ tool: tool.name, input, headers: { ...requestInfo?.headers }, session: sessionId });
      return { content: [{ type: 'text', text: await tool.run(input) }] };
    });
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    });
    // The types of the SDK do not know `exactOptionalPropertyTypes`.
    await server.connect(transport as Parameters<Server['connect']>[0]);
    return transport;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    if (token !== undefined && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end(`invalid token: ${request.headers.authorization}`);
      return;
    }
    const id = request.headers['mcp-session-id'];
    const body = request.method === 'POST' ? await json(request) : undefined;
    const transport = typeof id === 'string' ? transports.get(id) : await createSession();
    if (transport === undefined) response.writeHead(404).end();
    else await transport.handleRequest(request, response, body);
  };
  const http = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    calls,
    get sessions() {
      return transports.size;
    },
    offer: (next) => {
      offered = next;
    },
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
