import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@lectern/service-kit';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { createKeyPair } from '#keys/pair-store';
import { type SendInit, startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import { connectMcp } from './support/mcp-client.ts';
import { KNOWN, reply, unknownId } from './support/records.ts';

let gateway: TestGateway;
let client: Client;
beforeAll(async () => {
  gateway = await startTestGateway({
    PUBLIC_URL: 'https://lectern.example.com',
    MCP_ALLOWED_ORIGINS: 'https://assistant.example.com/',
    MAX_SMALL_JSON_BYTES: '4096',
  });
  client = await connectMcp(gateway.url, { Authorization: `Bearer ${gateway.keys.secretKey}` });
});
afterAll(async () => {
  await client.close();
  await gateway.stop();
});
beforeEach(() => void gateway.services.calls.splice(0));
afterEach(() => {
  gateway.services.failWith = undefined;
});

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const ACCEPT = { Accept: 'application/json, text/event-stream' };

const post = (init: SendInit = {}): Promise<TestResponse> =>
  gateway.send('POST', '/mcp', { json: PING, ...init, headers: { ...ACCEPT, ...init.headers } });

function expectMcpError(response: TestResponse, status: number, code: string): void {
  const { jsonrpc, id, error } = response.json;
  expect({ status: response.status, code: error.data.code }).toEqual({ status, code });
  expect({ jsonrpc, id }).toEqual({ jsonrpc: '2.0', id: null });
  expect(error.data.requestId).toBe(response.headers.get('x-request-id'));
}

const lastCall = () => gateway.services.calls.at(-1);

/** Returns the text of a tool's result. */
const textOf = (response: object): string => Reflect.get(Reflect.get(response, 'content')[0], 'text');

describe('the tools', () => {
  it('are announced as a list that does not change', () => {
    expect(client.getServerCapabilities()?.tools).toEqual({ listChanged: false });
  });

  it('are listed with their inputs and outputs', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'get_document', 'list_collections', 'ask']);
    for (const tool of tools) {
      expect(tool.description).toMatch(/\S/);
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
    }
    expect(tools[0]?.inputSchema.required).toEqual(['query']);
  });

  it('search with the given query, collections and filters', async () => {
    const response = await client.callTool({
      name: 'search',
      arguments: { query: 'leave', collections: [KNOWN.collection], filters: { author: 'Ada' }, limit: 3 },
    });
    expect(response.structuredContent).toMatchObject({ results: [{ documentId: KNOWN.document }], total: 1 });
    expect(textOf(response)).toContain(KNOWN.document);
    expect(lastCall()?.request).toMatchObject({
      query: 'leave',
      collectionIds: [KNOWN.collection],
      filters: { author: 'Ada' },
      page: { page: 1, limit: 3 },
    });
  });

  it('read a document in parts', async () => {
    const part = (offset: number) =>
      client.callTool({ name: 'get_document', arguments: { id: KNOWN.document, offset, maxCharacters: 3 } });
    expect((await part(0)).structuredContent).toMatchObject({ content: 'Tex', totalCharacters: 4, nextOffset: 3 });
    expect((await part(3)).structuredContent).toMatchObject({ content: 't', offset: 3, nextOffset: null });
    expect((await part(9)).structuredContent).toMatchObject({ content: '', offset: 4, nextOffset: null });
  });

  it('reject an empty list of collections, which must not mean everything', async () => {
    for (const call of [
      { name: 'search', arguments: { query: 'leave', collections: [] } },
      { name: 'ask', arguments: { question: 'leave?', collections: [] } },
    ]) {
      const calls = gateway.services.calls.length;
      const response = await client
        .callTool(call)
        .catch((error: unknown) => ({ isError: true, content: String(error) }));
      expect(response.isError).toBe(true);
      expect(JSON.stringify(response.content)).toContain('collections');
      expect(gateway.services.calls).toHaveLength(calls);
    }
  });

  it('list collections', async () => {
    const response = await client.callTool({ name: 'list_collections' });
    expect(response.structuredContent).toMatchObject({ collections: [{ id: KNOWN.collection, name: 'Handbook' }] });
  });

  it('answer a question with sources', async () => {
    const response = await client.callTool({ name: 'ask', arguments: { question: 'How many days of leave?' } });
    expect(response.structuredContent).toMatchObject({
      answer: expect.stringContaining('[1]'),
      sources: [{ id: KNOWN.document }],
      confidence: { label: expect.any(String) },
    });
    expect(lastCall()?.method).toBe('chat');
  });

  it('return a null URL for a source without one', async () => {
    const { sources } = reply;
    gateway.services.reply = { ...reply, sources: sources.map((source) => ({ ...source, url: '' })) };
    const response = await client.callTool({ name: 'ask', arguments: { question: 'How many days of leave?' } });
    expect(response.structuredContent).toMatchObject({ sources: [{ id: KNOWN.document, url: null }] });
    expect(textOf(response)).toContain(`(id: ${KNOWN.document})`);
    gateway.services.reply = reply;
  });

  it('report invalid calls', async () => {
    const unknown = await client.callTool({ name: 'get_document', arguments: { id: unknownId(KNOWN.document) } });
    expect(unknown.isError).toBe(true);
    expect(textOf(unknown)).toContain('not_found');
    const misspelled = await client.callTool({ name: 'search', arguments: { q: 'leave' } });
    expect(misspelled.isError).toBe(true);
    expect(textOf(misspelled)).toContain('query');
    const missing = await client.callTool({ name: 'drop_everything' });
    expect(missing.isError).toBe(true);
  });

  it('never expose the cause of an internal failure', async () => {
    gateway.services.failWith = new Error('secret-host refused');
    const response = await client.callTool({ name: 'search', arguments: { query: 'leave' } });
    expect(response.isError).toBe(true);
    expect(textOf(response)).toContain('internal_error');
    expect(textOf(response)).not.toContain('secret-host');
  });
});

describe('the key', () => {
  it('limits what the tools can access, and so does the end user', async () => {
    const scope = { allowAllCollections: false, allowedCollections: ['col_other'] };
    const scoped = await createKeyPair(gateway.db, gateway.keys.teamId, 'scoped', scope);
    const headers = { 'X-Service-Key': scoped.secretKey, 'X-Service-User': 'Ada@Example.com' };
    const other = await connectMcp(gateway.url, headers);
    const response = await other.callTool({ name: 'get_document', arguments: { id: KNOWN.document } });
    expect(response.isError).toBe(true);
    expect(textOf(response)).toContain('forbidden');
    expect(lastCall()?.caller).toEqual({
      teamId: gateway.keys.teamId,
      keyId: scoped.id,
      scope: { kind: 'only', ids: ['col_other'] },
      userEmail: 'ada@example.com',
    });
    await other.close();
  });

  it('is required, and must be valid and secret', async () => {
    const withoutKey = await post({ key: null });
    expectMcpError(withoutKey, 401, 'unauthorized');
    expect(withoutKey.headers.get('www-authenticate')).toMatch(/^Bearer/);
    expectMcpError(await post({ key: 'nonsense' }), 401, 'invalid_key');
    expectMcpError(await post({ key: gateway.keys.publishableKey }), 403, 'forbidden');
    await expect(connectMcp(gateway.url, { 'X-Service-Key': 'nonsense' })).rejects.toThrow();
  });

  it('has a rate limit that counts each message', async () => {
    const slow = await createKeyPair(gateway.db, gateway.keys.teamId, 'slow', { rateLimitPerMinute: 1 });
    const first = await post({ key: slow.secretKey });
    expect(first.json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(first.headers.get('x-ratelimit-limit')).toBe('1');
    const second = await post({ key: slow.secretKey });
    expectMcpError(second, 429, 'rate_limited');
    expect(second.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('a message', () => {
  it('must be a single JSON-RPC message within the size limit', async () => {
    expectMcpError(await post({ json: [PING, PING] }), 400, 'invalid_request');
    for (const json of [{ hello: 'there' }, { jsonrpc: '2.0', id: 1 }, { ...PING, id: 1.5 }, 'ping', null]) {
      const response = await post({ json });
      expectMcpError(response, 400, 'invalid_request');
      expect(response.json.error.code).toBe(-32_600);
    }
    for (const body of ['{', '\xff', '']) {
      const bytes = Buffer.from(body, 'latin1');
      const response = await post({ json: undefined, body: bytes, headers: { 'Content-Type': 'application/json' } });
      expectMcpError(response, 400, 'invalid_request');
      expect(response.json.error.code).toBe(-32_700);
    }
    const long = { ...PING, params: { _meta: { text: 'x'.repeat(5_000) } } };
    expectMcpError(await post({ json: long }), 413, 'payload_too_large');
    expectMcpError(
      await post({ json: undefined, body: 'x', headers: { 'Content-Type': 'text/plain' } }),
      415,
      'unsupported_media_type',
    );
  });

  it.each([
    ['tools/call', {}, -32_602],
    ['tools/call', { name: 'search', arguments: 'leave' }, -32_602],
    ['initialize', {}, -32_602],
    ['tools/burn', {}, -32_601],
  ])('is rejected if it calls %s with %j, with the error code %d', async (method, params, code) => {
    const response = await post({ json: { jsonrpc: '2.0', id: 'a', method, params } });
    expect({ status: response.status, id: response.json.id }).toEqual({ status: 200, id: 'a' });
    expect(response.json.error).toEqual({ code, message: expect.any(String) });
  });

  it('is accepted only with POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await gateway.send(method, '/mcp');
      expectMcpError(response, 405, 'method_not_allowed');
      expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    }
  });

  it('is rejected if it names an unknown protocol revision', async () => {
    const response = await post({ headers: { 'Mcp-Protocol-Version': '1999-01-01' } });
    expectMcpError(response, 400, 'invalid_request');
    expect(response.json.error.message).toContain('1999-01-01');
  });

  it.each(['*/*', 'application/json', 'text/event-stream'])(
    'is rejected if the Accept header is %s',
    async (Accept) => {
      const response = await post({ headers: { Accept } });
      expectMcpError(response, 406, 'invalid_request');
      expect(response.json.error.message).toContain('Accept'.toLowerCase());
    },
  );
});

describe('a web page', () => {
  it.each(['https://lectern.example.com', 'https://assistant.example.com', 'http://localhost:6274'])(
    'is accepted if its origin is %s',
    async (origin) => {
      const response = await post({ headers: { Origin: origin } });
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      const preflight = await gateway.send('OPTIONS', '/mcp', { key: null, headers: { Origin: origin } });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toContain('Mcp-Protocol-Version');
    },
  );

  it.each(['https://evil.example', 'https://localhost.evil.example', 'null', 'file://localhost', 'nonsense'])(
    'is rejected if its origin is %s, even with a valid key',
    async (origin) => {
      const response = await post({ headers: { Origin: origin } });
      expectMcpError(response, 403, 'forbidden');
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(gateway.services.calls).toEqual([]);
    },
  );
});

it('reports an unavailable service as a tool error', async () => {
  gateway.services.failWith = new AppError('unavailable', 'Search is unavailable.');
  const response = await client.callTool({ name: 'search', arguments: { query: 'leave' } });
  expect(textOf(response)).toContain('unavailable');
});
