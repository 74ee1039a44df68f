import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { createKeyPair } from '#keys/pair-store';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { connectMcp } from './support/mcp-client.ts';
import { tokensFor } from './support/oauth-app.ts';
import { signInAs } from './support/people.ts';
import { document, KNOWN, unknownId } from './support/records.ts';

const URI = `lectern://documents/${KNOWN.document}`;

let gateway: TestGateway;
let client: Client;
beforeAll(async () => {
  gateway = await startTestGateway();
  client = await connectMcp(gateway.url, { Authorization: `Bearer ${gateway.keys.secretKey}` });
});
afterAll(async () => {
  await client.close();
  await gateway.stop();
});
beforeEach(() => void gateway.services.calls.splice(0));

const textOf = (response: object): string => Reflect.get(Reflect.get(response, 'content')[0], 'text');
const lastCall = () => gateway.services.calls.at(-1);

/** Returns the code and the message of the error with which a request fails. */
const failureOf = async (request: Promise<unknown>) => {
  const error: unknown = await request.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof McpError ? { code: error.code, message: error.message, data: error.data } : error;
};

describe('search and fetch', () => {
  it('return results in the form of assistants that know these tools', async () => {
    const found = await client.callTool({ name: 'search', arguments: { query: 'leave' } });
    expect(JSON.parse(textOf(found))).toEqual(found.structuredContent);
    const [result] = JSON.parse(textOf(found)).results;
    expect(result).toMatchObject({ id: KNOWN.document, title: expect.any(String), url: expect.any(String) });

    const fetched = await client.callTool({ name: 'fetch', arguments: { id: result.id } });
    expect(JSON.parse(textOf(fetched))).toEqual(fetched.structuredContent);
    expect(fetched.structuredContent).toMatchObject({
      id: KNOWN.document,
      title: expect.any(String),
      text: 'Text',
      url: expect.any(String),
      metadata: { collection: 'Handbook' },
    });
    expect(fetched.content).toHaveLength(1);
  });

  it('accept the URI of a resource, and reject other texts', async () => {
    expect((await client.callTool({ name: 'fetch', arguments: { id: URI } })).isError).toBeUndefined();
    const failed = await client.callTool({ name: 'fetch', arguments: { id: 'https://example.com' } });
    expect([failed.isError, textOf(failed).includes('must be the id of a search result')]).toEqual([true, true]);
  });

  it('are marked as tools that only read', async () => {
    const { tools } = await client.listTools();
    const reads = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
    expect(reads).toEqual(['search', 'fetch', 'get_document', 'list_collections']);
  });
});

describe('collections', () => {
  it.each([['Handbook'], ['handbook'], [KNOWN.collection]])('can be given as %s', async (name) => {
    await client.callTool({ name: 'search', arguments: { query: 'leave', collections: [name] } });
    expect(lastCall()?.request).toMatchObject({ collectionIds: [KNOWN.collection] });
    await client.callTool({ name: 'ask', arguments: { question: 'leave?', collections: [name] } });
    expect(lastCall()?.request).toMatchObject({ collectionIds: [KNOWN.collection] });
  });

  it('that do not exist are named in the error, with those that do', async () => {
    const failed = await client.callTool({ name: 'search', arguments: { query: 'leave', collections: ['Handbok'] } });
    expect(failed.isError).toBe(true);
    expect(textOf(failed)).toContain('collections[0]');
    expect(textOf(failed)).toContain('\\"Handbook\\"');
  });
});

describe('resources', () => {
  it('are the documents, which can be read by their URIs', async () => {
    const { resources } = await client.listResources();
    expect(resources[0]).toMatchObject({ uri: URI, title: document.title, mimeType: 'text/markdown' });
    const { contents } = await client.readResource({ uri: URI });
    expect(contents).toEqual([expect.objectContaining({ uri: URI, text: 'Text' })]);
  });

  it('have a template', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(['lectern://documents/{id}{?offset}']);
    const { contents } = await client.readResource({ uri: `${URI}?offset=2` });
    expect(contents[0]).toMatchObject({ text: 'xt', _meta: { 'lectern/totalCharacters': 4 } });
  });

  it('are listed in pages', async () => {
    const page = { total: 101, page: 1, limit: 100, hasMore: true };
    gateway.services.documentPage = page;
    const { nextCursor = '' } = await client.listResources();
    gateway.services.documentPage = { ...page, page: 2, hasMore: false };
    const second = await client.listResources({ cursor: nextCursor });
    expect(lastCall()?.request).toMatchObject({ collectionId: KNOWN.collection, page: { page: 2, limit: 100 } });
    expect(second.nextCursor).toBeUndefined();
    gateway.services.documentPage = undefined;
  });

  it.each(['', 'x', 'e30', Buffer.from('{"c":"x","p":-1}').toString('base64url')])(
    'are not listed from the cursor %j',
    async (cursor) => {
      expect(await failureOf(client.listResources({ cursor }))).toMatchObject({ code: -32_602 });
    },
  );

  it.each(['lectern://documents/x', `${URI}?offset=-1`, `${URI}/..`, 'file:///etc/passwd', `${URI}#x`])(
    'are not read from %s',
    async (uri) => {
      expect(await failureOf(client.readResource({ uri }))).toMatchObject({ code: -32_602 });
    },
  );

  it('that do not exist are not found', async () => {
    const uri = `lectern://documents/${unknownId(KNOWN.document)}`;
    expect(await failureOf(client.readResource({ uri }))).toMatchObject({ code: -32_002, data: { uri } });
  });

  it('are linked in results', async () => {
    const read = await client.callTool({ name: 'get_document', arguments: { id: URI } });
    expect(read.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: URI }));
    const answered = await client.callTool({ name: 'ask', arguments: { question: 'leave?' } });
    expect(answered.content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: URI }));
  });

  it('need the right to read documents', async () => {
    const { secretKey } = await createKeyPair(gateway.db, gateway.keys.teamId, 'search', { rights: ['search'] });
    const limited = await connectMcp(gateway.url, { Authorization: `Bearer ${secretKey}` });
    for (const request of [
      limited.listResources(),
      limited.readResource({ uri: URI }),
      limited.getPrompt({ name: 'summarize_document', arguments: { document: KNOWN.document } }),
    ]) {
      expect(await failureOf(request)).toMatchObject({ code: -32_000, data: { code: 'forbidden' } });
    }
    expect(gateway.services.calls).toEqual([]);
    await limited.close();
  });
});

describe('prompts', () => {
  it('are listed with their arguments', async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'answer_with_sources',
      'summarize_document',
      'compare_documents',
      'research_topic',
    ]);
  });

  it('contain the text of documents that are named by id, by URI or by words', async () => {
    for (const name of [KNOWN.document, URI, 'leave policy']) {
      const { messages } = await client.getPrompt({ name: 'summarize_document', arguments: { document: name } });
      expect(messages.at(-1)?.content).toMatchObject({ type: 'resource', resource: { uri: URI, text: 'Text' } });
    }
    const both = { first: KNOWN.document, second: URI };
    const { messages } = await client.getPrompt({ name: 'compare_documents', arguments: both });
    expect(messages.filter(({ content }) => content.type === 'resource')).toHaveLength(2);
  });

  it('contain the question and the collection', async () => {
    const given = { question: 'How long is leave?', collection: 'Handbook' };
    const { messages } = await client.getPrompt({ name: 'answer_with_sources', arguments: given });
    expect(JSON.stringify(messages)).toContain('How long is leave?');
    expect(JSON.stringify(messages)).toContain('Handbook');
  });

  it.each([
    ['unknown', {}],
    ['summarize_document', {}],
    ['answer_with_sources', { question: 'x'.repeat(2_001) }],
  ])('%s with the arguments %j are rejected', async (name, given) => {
    expect(await failureOf(client.getPrompt({ name, arguments: given as Record<string, string> }))).toMatchObject({
      code: -32_602,
    });
  });
});

describe('the tool ask', () => {
  it('reports its progress', async () => {
    const seen: { progress: number; message?: string | undefined }[] = [];
    const response = await client.callTool({ name: 'ask', arguments: { question: 'leave?' } }, undefined, {
      onprogress: ({ progress, message }) => void seen.push({ progress, message }),
    });
    expect(response.structuredContent).toMatchObject({ answer: expect.any(String), sources: [{ id: KNOWN.document }] });
    expect(lastCall()?.method).toBe('streamChat');
    expect(seen.map(({ message }) => message).sort()).toEqual([
      'Found 1 source',
      'Searching the documents',
      'Writing the answer',
    ]);
    expect(seen.map(({ progress }) => progress)).toEqual(seen.map((_event, index) => index + 1));
  });

  it('ends when the client cancels it', async () => {
    const ended = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const { chat } = gateway.services;
    gateway.services.chat = async function* ({ signal }) {
      started.resolve();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      ended.resolve();
      yield* [];
    };
    const cancellation = new AbortController();
    const call = client.callTool({ name: 'ask', arguments: { question: 'leave?' } }, undefined, {
      signal: cancellation.signal,
      onprogress: () => undefined,
    });
    call.catch(() => undefined);
    await started.promise;
    cancellation.abort();
    await ended.promise;
    gateway.services.chat = chat;
  });

  it('is not cancelled by another client with the same number', async () => {
    const other = await connectMcp(gateway.url, { Authorization: `Bearer ${gateway.keys.secretKey}` });
    let isAborted = false;
    const finish = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const { chat } = gateway.services;
    gateway.services.chat = async function* (call) {
      call.signal.addEventListener('abort', () => {
        isAborted = true;
      });
      started.resolve();
      await finish.promise;
      yield* chat(call);
    };
    const call = client.callTool({ name: 'ask', arguments: { question: 'leave?' } }, undefined, {
      onprogress: () => undefined,
    });
    await started.promise;
    for (let requestId = 0; requestId < 200; requestId += 1) {
      await other.notification({ method: 'notifications/cancelled', params: { requestId } });
    }
    finish.resolve();
    expect((await call).isError).toBeUndefined();
    expect(isAborted).toBe(false);
    gateway.services.chat = chat;
    await other.close();
  });
});

describe('an app without a scope', () => {
  it('gets 403 with the scope for resources', async () => {
    const person = await signInAs(gateway.db, gateway.keys.teamId, 'member');
    const { access_token: token } = await tokensFor(gateway.url, person, { scope: 'search' });
    const response = await gateway.send('POST', '/mcp', {
      key: null,
      json: { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: URI } },
      headers: { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' },
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('www-authenticate')).toContain('scope="search documents:read"');
    expect(gateway.services.calls).toEqual([]);
  });
});
