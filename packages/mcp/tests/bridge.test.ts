import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const KEY = 'lectern_sk_test';

/** A stateless MCP server over HTTP, like Lectern's gateway. */
function createMcpServer(): McpServer {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  const schema = { inputSchema: { query: z.string() } };
  server.registerTool('search', schema, ({ query }) => ({ content: [{ type: 'text', text: `found ${query}` }] }));
  server.registerTool('slow', {}, async ({ _meta, sendNotification }) => {
    const progressToken = _meta?.progressToken ?? '';
    await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    // The official client drops progress that arrives together with the result.
    await progressSeen.promise;
    return { content: [] };
  });
  server.registerResource('leave', 'lectern://documents/leave', {}, ({ href: uri }) => ({
    contents: [{ uri, text: 'Thirty days.' }],
  }));
  server.registerPrompt('summarize', {}, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: 'Summarize.' } }],
  }));
  return server;
}

const progressSeen = Promise.withResolvers<void>();
let server: Server;
let url: string;
const received: (string | string[] | undefined)[][] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { authorization, 'mcp-protocol-version': version } = request.headers;
    received.push([request.url, authorization, version]);
    if (request.method !== 'POST') return response.writeHead(405).end();
    if (authorization !== `Bearer ${KEY}`) return response.writeHead(401).end('{"error":"invalid key"}');
    const transport = new StreamableHTTPServerTransport({});
    await createMcpServer().connect(transport as Parameters<McpServer['connect']>[0]);
    return transport.handleRequest(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const clients: Client[] = [];
// Closing a client ends its process.
afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));

const connect = async (env: Record<string, string>): Promise<Client> => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  clients.push(client);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [MAIN], env, stderr: 'ignore' }));
  return client;
};

describe('lectern-mcp', () => {
  it('forwards resources, prompts and progress', async () => {
    const client = await connect({ LECTERN_URL: url, LECTERN_KEY: KEY });
    const [resource] = (await client.listResources()).resources;
    expect(await client.readResource({ uri: resource?.uri ?? '' })).toMatchObject({
      contents: [{ text: 'Thirty days.' }],
    });
    expect(await client.getPrompt({ name: 'summarize' })).toMatchObject({ messages: [{ role: 'user' }] });
    const seen: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => {
      seen.push(progress);
      progressSeen.resolve();
    };
    await client.callTool({ name: 'slow' }, undefined, { onprogress });
    expect(seen).toEqual([1]);
    received.splice(0);
  });

  it('forwards requests with the key and the negotiated protocol version', async () => {
    const client = await connect({ LECTERN_URL: url, LECTERN_KEY: KEY });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'slow']);
    const { content } = await client.callTool({ name: 'search', arguments: { query: 'leave' } });
    expect(content).toEqual([{ type: 'text', text: 'found leave' }]);
    expect(received[0]).toEqual(['/mcp', `Bearer ${KEY}`, undefined]);
    expect(received.at(-1)).toEqual(['/mcp', `Bearer ${KEY}`, expect.stringMatching(/^\d{4}-/)]);
  });

  it.each([
    ['an invalid key', () => url, 'invalid key'],
    ['a server that is not running', () => 'http://127.0.0.1:1', 'Cannot connect to Lectern'],
  ])('reports %s to the client', async (_name, target, message) => {
    await expect(connect({ LECTERN_URL: target(), LECTERN_KEY: 'wrong' })).rejects.toThrow(message);
  });

  it.each([
    [{ LECTERN_KEY: KEY }, 'LECTERN_URL'],
    [{ LECTERN_URL: 'http://localhost:8080' }, 'LECTERN_KEY'],
  ])('exits with code 2 if a setting is missing: %j', async (env, name) => {
    const exited = promisify(execFile)(process.execPath, [MAIN], { env });
    await expect(exited).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(name) });
  });
});
