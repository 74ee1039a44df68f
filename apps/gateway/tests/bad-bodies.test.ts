import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { expectError } from './support/expect-error.ts';
import { type SendInit, startTestGateway, type TestGateway } from './support/gateway.ts';
import {
  renewSampleLink,
  restoreSampleGroups,
  restoreSampleProviders,
  restoreSampleWebhook,
  signInAs,
  type TestPerson,
} from './support/people.ts';
import { BODIES, callerOf, SAMPLE_STATUS, samplePath, TABLE } from './support/samples.ts';

/** Settings of a run. */
const SETTINGS = { systemPrompt: 'x', tools: [], collections: [], memory: 'off' };

const SMALL_LIMIT = 32 * 1024;
const JSON_LIMIT = 64 * 1024;
const DOCUMENT_LIMIT = 128 * 1024;

const LIMITS: Readonly<Record<string, number>> = {
  MAX_SMALL_JSON_BYTES: SMALL_LIMIT,
  MAX_JSON_BYTES: JSON_LIMIT,
  MAX_DOCUMENT_BYTES: DOCUMENT_LIMIT,
};

let gateway: TestGateway;
let person: TestPerson;
beforeAll(async () => {
  gateway = await startTestGateway({
    MAX_SMALL_JSON_BYTES: `${SMALL_LIMIT}`,
    MAX_JSON_BYTES: `${JSON_LIMIT}`,
    MAX_DOCUMENT_BYTES: `${DOCUMENT_LIMIT}`,
  });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  await renewSampleLink(gateway.db);
  await restoreSampleGroups(gateway.db, gateway.keys.teamId);
  await restoreSampleProviders(gateway.db, gateway.keys.teamId);
  await restoreSampleWebhook(gateway.db, gateway.keys.teamId);
  await gateway.restoreSlackApps();
  person = await signInAs(gateway.db, gateway.keys.teamId, 'member');
});

const WITH_JSON = TABLE.filter(([, { body }]) => body.mediaType === 'application/json');
type Operation = (typeof WITH_JSON)[number][1];

const BLANKS = Buffer.alloc(16 * 1024 * 1024, ' ');
const BOMBS = [
  ['gzip', new Uint8Array(gzipSync(BLANKS))],
  ['deflate', new Uint8Array(deflateSync(BLANKS))],
  ['br', new Uint8Array(brotliCompressSync(BLANKS, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }))],
] as const;

const JSON_TYPE = { 'Content-Type': 'application/json' };
const sampleOf = ({ id }: Operation) => BODIES[id] ?? {};
const statusOf = ({ id, success }: Operation) => SAMPLE_STATUS[id] ?? success;
const send = (operation: Operation, init: SendInit) => {
  const caller = callerOf(operation, person);
  const headers = { ...caller.headers, ...init.headers };
  return gateway.send(operation.method, samplePath(operation.path, gateway.keys.teamId), {
    ...caller,
    ...init,
    headers,
  });
};
const sendRaw = (operation: Operation, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
  send(operation, { body, headers: { ...JSON_TYPE, ...headers } });

function fieldsOf({ body }: Operation): [string, z.ZodType][] {
  return body.schema instanceof z.ZodObject
    ? Object.entries(body.schema.shape).map(([name, field]) => [name, z.unknown().pipe(field)])
    : [];
}

describe('an operation with a JSON body', () => {
  it.each(WITH_JSON)('%s rejects a missing body unless it is optional', async (_name, operation) => {
    const response = await send(operation, {});
    if (operation.body.required) expectError(response, 400, 'invalid_request', 'body');
    else expect(response.status).toBe(statusOf(operation));
  });

  it.each(WITH_JSON)('%s rejects malformed JSON', async (_name, operation) => {
    for (const body of ['{', '{"a":}', 'nonsense', "{'a': 1}", '{"a": NaN}', '[1,', '\u0000', '{}{}', '{"a": 01}']) {
      expectError(await sendRaw(operation, body), 400, 'invalid_request', 'body');
    }
  });

  const WITH_OBJECT = WITH_JSON.filter(([, { id }]) => id !== 'recordAnalyticsEvents');
  it.each(WITH_OBJECT)('%s rejects a body that is not an object', async (_name, operation) => {
    for (const body of ['null', 'true', '1', '"text"', '[]', '[{}]']) {
      expectError(await sendRaw(operation, body), 400, 'invalid_request', 'body');
    }
  });

  it.each(WITH_JSON)('%s rejects other content types', async (_name, operation) => {
    const body = JSON.stringify(sampleOf(operation));
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
      '',
    ]) {
      expectError(await sendRaw(operation, body, { 'Content-Type': type }), 415, 'unsupported_media_type');
    }
    const bytes = new Uint8Array(Buffer.from(body));
    expectError(await send(operation, { body: bytes }), 415, 'unsupported_media_type');
  });

  it.each(WITH_JSON)('%s accepts only UTF-8', async (_name, operation) => {
    for (const charset of ['latin1', 'utf-16', 'nonsense', 'utf-7']) {
      const headers = { 'Content-Type': `application/json; charset=${charset}` };
      expectError(await sendRaw(operation, '{}', headers), 415, 'unsupported_media_type');
    }
    const bytes = new Uint8Array([...Buffer.from('{"name":"'), 0xff, 0xc3, ...Buffer.from('"}')]);
    expectError(await sendRaw(operation, bytes), 400, 'invalid_request', 'body');
    const good = { 'Content-Type': 'application/json; charset="UTF-8"' };
    expect((await sendRaw(operation, JSON.stringify(sampleOf(operation)), good)).status).toBe(statusOf(operation));
  });

  it.each(WITH_JSON)('%s names each unknown field', async (_name, operation) => {
    const response = await send(operation, { json: { ...sampleOf(operation), surprise: 1, constructor: 1 } });
    expectError(response, 400, 'invalid_request', 'surprise');
    expect(response.json.error.message).toContain('constructor');
  });

  // A list with an invalid item is a valid batch.
  const WITHOUT_BATCHES = WITH_JSON.filter(([, { body }]) => body.kind !== 'batch');
  it.each(WITHOUT_BATCHES)('%s names each field of the wrong type', async (_name, operation) => {
    for (const [field] of fieldsOf(operation)) {
      for (const wrong of [[[]], [null]]) {
        const response = await send(operation, { json: { ...sampleOf(operation), [field]: wrong } });
        expectError(response, 400, 'invalid_request', field);
      }
    }
  });

  it.each(WITH_JSON)('%s names each required field that is missing', async (_name, operation) => {
    const required = fieldsOf(operation).filter(([, field]) => !field.safeParse(undefined).success);
    for (const [field] of required) {
      const response = await send(operation, { json: { ...sampleOf(operation), [field]: undefined } });
      expectError(response, 400, 'invalid_request', field);
      expect(response.json.error.message).toContain('is required');
    }
  });

  it.each(WITH_JSON)('%s rejects a body that exceeds its limit', async (_name, operation) => {
    const limit = LIMITS[`${operation.body.limit}`] ?? 0;
    expect(limit).toBeGreaterThan(0);
    const large = JSON.stringify({ ...sampleOf(operation), filler: 'x'.repeat(limit) });
    expectError(await sendRaw(operation, large), 413, 'payload_too_large');
    for (const [encoding, bomb] of BOMBS) {
      expectError(await sendRaw(operation, bomb, { 'Content-Encoding': encoding }), 413, 'payload_too_large');
    }
  });

  it.each(WITH_JSON)('%s rejects a body that does not match its content encoding', async (_name, operation) => {
    const sample = Buffer.from(JSON.stringify(sampleOf(operation)));
    const zipped = new Uint8Array(gzipSync(sample));
    expect((await sendRaw(operation, zipped, { 'Content-Encoding': 'gzip' })).status).toBe(statusOf(operation));
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const headers = { 'Content-Encoding': encoding };
      expectError(await sendRaw(operation, new Uint8Array(sample), headers), 400, 'invalid_request', 'body');
    }
    expectError(
      await sendRaw(operation, zipped.slice(0, -6), { 'Content-Encoding': 'gzip' }),
      400,
      'invalid_request',
      'body',
    );
    for (const encoding of ['compress', 'gzip, gzip', 'nonsense']) {
      expectError(await sendRaw(operation, zipped, { 'Content-Encoding': encoding }), 415, 'unsupported_media_type');
    }
  });

  it.each(WITH_JSON)('%s rejects values that the services cannot process', async (_name, operation) => {
    const sample = JSON.stringify(sampleOf(operation)).slice(0, -1);
    const deep = '['.repeat(15_000) + ']'.repeat(15_000);
    for (const [field, wrong] of [
      ['a', '"\\u0000"'],
      ['a', '"\\ud800"'],
      ['a', '1e999'],
      ['a', deep],
      ['a', '{"b":{"__proto__":{"admin":true}}}'],
      ['__proto__', '{"admin":true}'],
    ] as const) {
      const response = await sendRaw(operation, `${sample}${sample === '{' ? '' : ','}"${field}":${wrong}}`);
      expectError(response, 400, 'invalid_request', field);
    }
  });
});

describe('invalid values of fields', () => {
  const expectRejected = async (operationId: string, json: object, path: string) => {
    const operation = WITH_JSON.find(([, { id }]) => id === operationId)?.[1];
    if (operation === undefined) throw new Error(`unknown operation: ${operationId}`);
    expectError(await send(operation, { json: { ...sampleOf(operation), ...json } }), 400, 'invalid_request', path);
  };

  it.each([
    ['searchDocuments', { query: '' }, 'query'],
    ['searchDocuments', { query: ' \n' }, 'query'],
    ['searchDocuments', { query: 'x'.repeat(2_001) }, 'query'],
    ['searchDocuments', { mode: 'fuzzy' }, 'mode'],
    ['searchDocuments', { page: 0 }, 'page'],
    ['searchDocuments', { limit: 101 }, 'limit'],
    ['searchDocuments', { limit: 1.5 }, 'limit'],
    ['searchDocuments', { minScore: 1.1 }, 'minScore'],
    ['searchDocuments', { maxPassagesPerDocument: 21 }, 'maxPassagesPerDocument'],
    ['searchDocuments', { collections: [''] }, 'collections[0]'],
    ['searchDocuments', { collections: [] }, 'collections'],
    ['searchFaceted', { collections: [] }, 'collections'],
    ['searchDocsSite', { collections: [] }, 'collections'],
    ['suggestQueries', { query: ' ' }, 'query'],
    ['suggestQueries', { limit: 21 }, 'limit'],
    ['createSearchRule', { query: ' ' }, 'query'],
    ['createSearchRule', { pins: [] }, 'pins'],
    ['createSearchRule', { pins: [{ documentId: 'doc_1', position: 101 }] }, 'pins[0].position'],
    ['updateSearchRule', { match: 'regex' }, 'match'],
    ['importSearchRules', { rules: [{ query: 'a', hides: [''] }] }, 'rules[0].hides[0]'],
    ['chat', { collections: [] }, 'collections'],
    ['streamChat', { collections: [] }, 'collections'],
    ['regenerate', { collections: [] }, 'collections'],
    ['streamRegenerate', { collections: [] }, 'collections'],
    ['executeAgent', { collections: [] }, 'collections'],
    ['executeAgent', { settings: { systemPrompt: 'x', tools: [], memory: 'off' } }, 'settings.collections'],
    ['executeAgent', { settings: { ...SETTINGS, tools: ['fly away'] } }, 'settings.tools[0]'],
    ['executeAgent', { settings: { ...SETTINGS, name: 'x' } }, 'settings.name'],
    ['chat', { message: '' }, 'message'],
    ['chat', { message: 'x'.repeat(32_001) }, 'message'],
    ['chat', { maxTokens: 0 }, 'maxTokens'],
    ['chat', { maxTokens: 2 ** 40 }, 'maxTokens'],
    ['createAgent', { tools: ['calculate', 'get_datetime', 'fly'] }, 'tools[2]'],
    ['createAgent', { name: '  ' }, 'name'],
    ['createCollection', { name: 'x'.repeat(201) }, 'name'],
    ['createDocument', { url: 'javascript:alert(1)' }, 'url'],
    ['createDocument', { content: '' }, 'content'],
    ['createDocument', { content: ' \n' }, 'content'],
    ['createDocument', { metadata: { author: 5 } }, 'metadata.author'],
    ['createDocument', { metadata: { url: 'javascript:alert(1)' } }, 'metadata.url'],
    ['createDocument', { metadata: { pages: 1.5 } }, 'metadata.pages'],
    ['createDocument', { metadata: { notes: 'x'.repeat(70_000) } }, 'metadata'],
    ['createAgent', { tools: 'calculate' }, 'tools'],
    ['createDocument', { principals: [] }, 'principals'],
    ['createDocuments', { documents: [] }, 'documents'],
    ['createDocuments', { documents: Array.from({ length: 101 }, () => 0) }, 'documents'],
    ['createDocuments', { more: 1 }, 'more'],
    ['createConnector', { type: 'ftp' }, 'type'],
    ['updateConnector', { type: 's3' }, 'type'],
    ['startSync', { sync_mode: 'some' }, 'sync_mode'],
    ['startSync', { force_full_sync: 'yes' }, 'force_full_sync'],
    ['deleteFiles', { files: [] }, 'files'],
  ])('are rejected by %s (%#)', expectRejected);

  it('are reported once per field', async () => {
    const { json } = await gateway.send('POST', '/api/v1/agents', {
      json: { ...BODIES.createAgent, tools: 'calculate' },
    });
    expect(json.error.details.issues).toEqual([{ path: 'tools', message: 'must be a list' }]);
  });

  it('are reported with the allowed values', async () => {
    const { json } = await gateway.send('POST', '/api/v1/search', { json: { query: 5, mode: 'x', limit: 0, more: 1 } });
    expect(json.error).toEqual({
      code: 'invalid_request',
      message:
        'query: must be a string; mode: must be one of hybrid, keyword, semantic; limit: must be at least 1; more: is not a known field',
      details: {
        issues: [
          { path: 'query', message: 'must be a string' },
          { path: 'mode', message: 'must be one of hybrid, keyword, semantic' },
          { path: 'limit', message: 'must be at least 1' },
          { path: 'more', message: 'is not a known field' },
        ],
      },
    });
  });
});
