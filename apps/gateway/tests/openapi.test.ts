import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OTHERS } from '@lectern/api-spec';
import { checkerOf, type DocumentChecker, unknownFields } from '@lectern/testing';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { createApp } from '#app';
import { readConfig } from '#config';
import { closeContext, createContext } from '#context';
import { operations } from '#operations/table';
import { parseEvents } from './support/events.ts';
import { startTestGateway, type TestGateway, type TestResponse } from './support/gateway.ts';
import { MATRIX, NO_KEY } from './support/matrix.ts';
import { routesOf } from './support/routes.ts';
import { sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
let served: string;
let checker: DocumentChecker;
beforeAll(async () => {
  gateway = await startTestGateway();
  const response = await gateway.send('GET', '/openapi.json', { key: null });
  served = response.text;
  checker = checkerOf(response.json);
});
afterAll(() => gateway.stop());

describe('/openapi.json', () => {
  it('is served without a key, and not sent again to a client that has it', async () => {
    const first = await gateway.send('GET', '/openapi.json', { key: null });
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toMatch(/^application\/json/);
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    // Node's fetch would request a fresh copy automatically.
    const headers = { 'If-None-Match': String(first.headers.get('etag')), 'Cache-Control': 'max-age=0' };
    const second = await gateway.send('GET', '/openapi.json', { key: null, headers });
    expect({ status: second.status, length: second.text.length }).toEqual({ status: 304, length: 0 });
    expect((await gateway.send('HEAD', '/openapi.json', { key: null })).text).toBe('');
    expect((await gateway.send('POST', '/openapi.json', { key: null })).status).toBe(405);
  });

  it('passes the linter', async () => {
    // The linter considers the paths of runs and templates ambiguous.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } });
    const problems = await lintFromString({ source: served, config });
    const reported = problems.map(({ ruleId, message, location }) => ({
      ruleId,
      message,
      pointer: location[0]?.pointer,
    }));
    // A public file has no 4xx response.
    const files = Object.keys(OTHERS.paths).map((path) => `#/paths/${path.replaceAll('/', '~1')}/get/responses`);
    // The pages of a sign-in and of an authorization only redirect, or show why it failed.
    const isPage = ({ pointer = '' }: (typeof reported)[number]) =>
      /^#\/paths\/~1(?:sign-in~1|oauth~1authorize)/.test(pointer);
    const known = (it: (typeof reported)[number]) => {
      if (it.ruleId === 'operation-2xx-response') return isPage(it);
      return it.ruleId === 'operation-4xx-response' && files.includes(String(it.pointer));
    };
    const relevant = reported.filter((it) => !known(it));
    expect(relevant).toEqual([]);
  });

  it('describes exactly the routes of Express', async () => {
    const context = createContext(readConfig({ DATABASE_URL: gateway.databaseUrl, LOG_LEVEL: 'silent' }));
    const routes = routesOf(createApp(context)).filter(
      (route) => !CONSOLE_PATH.test(route) && !SCIM_PATH.test(route) && !SLACK_PATH.test(route),
    );
    await closeContext(context);
    const described = checker.operations().map(({ method, path }) => `${method} ${path}`);
    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  it('has a row in the access matrix for each operation', () => {
    const known = operations.map(({ method, path }) => `${method} ${path}`);
    expect(known.toSorted()).toEqual([...NO_KEY, ...Object.keys(MATRIX)].toSorted());
  });

  it('lists the keys that each operation accepts', () => {
    for (const { method, path, operation } of checker.operations()) {
      const name = `${method} ${path}`;
      if (path in OTHERS.paths) continue;
      const schemes = operation.security.map((scheme: object) => Object.keys(scheme)[0]);
      const row = MATRIX[name];
      expect({ name, open: schemes.length === 0 }).toEqual({ name, open: NO_KEY.includes(name) });
      expect({ name, pages: schemes.includes('publishableKey') }).toEqual({ name, pages: row?.publishable === 'ok' });
    }
  });

  it('has a valid example of every request and response body', () => {
    for (const { operation } of checker.operations()) {
      const success = Object.entries<{ content?: object }>(operation.responses).find(([status]) => status < '300');
      for (const [mediaType, media] of Object.entries<{ schema: object; example?: unknown }>({
        ...operation.requestBody?.content,
        ...success?.[1].content,
      })) {
        if (mediaType !== 'application/json' || isEmptyBody(media.schema)) continue;
        const id = operation.operationId;
        expect({ id, problems: checker.problems(media.schema, media.example) }).toEqual({ id, problems: [] });
        expect({ id, has: media.example !== undefined }).toEqual({ id, has: true });
      }
    }
  });
});

/** Paths below `/console`, which the document describes as one. */
const CONSOLE_PATH = /^get \/console\/./;
/** SCIM describes itself, at `/scim/v2/Schemas`. */
/** Slack calls them in its own form. */
const SLACK_PATH = /^post \/slack\/(?:events|interactions)$/;
const SCIM_PATH = /^\w+ \/(?:Users|Groups|ResourceTypes|Schemas|ServiceProviderConfig)\b/;

/** Returns whether the body of a schema has no fields. */
const isEmptyBody = (schema: object): boolean => JSON.stringify(Reflect.get(schema, 'properties')) === '{}';

/** Returns the values in a response: one, or those of a stream or of JSON Lines. */
function valuesIn(mediaType: string, { text, json }: TestResponse): readonly unknown[] {
  if (mediaType === 'text/event-stream') return parseEvents(text);
  if (mediaType !== 'application/x-ndjson') return [json];
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('every operation, checked against the document,', () => {
  it.each(TABLE)('%s responds as documented', async (_name, { method, path, id }) => {
    const operation = checker.document.paths[path][method];
    const init = sampleInit(id);
    if (init.json !== undefined) {
      const { schema } = operation.requestBody.content['application/json'];
      expect(checker.problems(schema, init.json)).toEqual([]);
    }
    const response = await gateway.send(method, samplePath(path, gateway.keys.teamId), init);
    const documented = checker.answerOf(operation, response.status);
    expect({ status: response.status, known: documented !== undefined }).toEqual({
      status: response.status,
      known: true,
    });
    for (const [name, header] of Object.entries<{ $ref?: string }>(documented.headers)) {
      const known = checker.document.components.headers[header.$ref?.split('/').at(-1) ?? ''];
      if (known?.required) expect({ name, value: response.headers.get(name) }).not.toEqual({ name, value: null });
    }
    const [mediaType = '', media] = Object.entries<{ schema: object }>(documented.content)[0] ?? [];
    expect(response.headers.get('content-type')).toContain(mediaType);
    const values = valuesIn(mediaType, response);
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      expect(checker.problems(media?.schema ?? {}, value)).toEqual([]);
      expect(unknownFields(checker.document, media?.schema, value)).toEqual([]);
    }
  });

  it.each(TABLE)('%s rejects requests as documented', async (_name, { method, path, access }) => {
    const operation = checker.document.paths[path][method];
    const unknown = path.replaceAll(/\{(?!teamId)\w+\}/g, 'unknown').replace('{teamId}', gateway.keys.teamId);
    const keys =
      access === 'open' ? [null] : [null, gateway.keys.secretKey, gateway.keys.publishableKey, 'lectern_sk_x'];
    for (const key of keys) {
      for (const body of ['{"unknown": ', '{"unknown": 1}', undefined]) {
        const headers = { 'Content-Type': 'application/json' };
        const sent = method === 'get' || body === undefined ? {} : { body, headers };
        const response = await gateway.send(method, unknown, { key, ...sent });
        if (response.status < 400) continue;
        const documented = checker.answerOf(operation, response.status);
        expect({ status: response.status, known: documented !== undefined }).toEqual({
          status: response.status,
          known: true,
        });
        expect(checker.problems(documented.content['application/json'].schema, response.json)).toEqual([]);
      }
    }
  });
});

describe('other paths', () => {
  it.each(['/openapi.json', '/docs', '/widget.js', '/widget-ask.js', '/console'])(
    '%s responds as documented',
    async (path) => {
      const operation = checker.document.paths[path].get;
      const response = await gateway.send('GET', path, { key: null });
      const documented = checker.answerOf(operation, response.status);
      // A console that is not built yet responds with 503.
      expect(['/console', '/docs'].includes(path) ? [200, 503] : [200]).toContain(response.status);
      expect(response.headers.get('content-type')).toContain(Object.keys(documented.content)[0]);
      for (const name of Object.keys(documented.headers))
        expect({ name, value: response.headers.get(name) }).not.toEqual({ name, value: null });
      if (operation.responses[304] === undefined) return;
      const headers = { 'If-None-Match': String(response.headers.get('etag')), 'Cache-Control': 'max-age=0' };
      expect((await gateway.send('GET', path, { key: null, headers })).status).toBe(304);
    },
  );

  it('are compressed, unlike responses of the API', async () => {
    const codingOf = async (path: string) => {
      const headers = { 'Accept-Encoding': 'gzip, br' };
      return (await gateway.send('GET', path, { headers })).headers.get('content-encoding');
    };
    for (const path of ['/openapi.json', '/widget.js', '/widget-ask.js']) expect(await codingOf(path)).toBe('br');
    for (const path of ['/api/v1/agents', '/healthz']) expect(await codingOf(path)).toBeNull();
  });

  it('/mcp responds as documented, also for rejected requests', async () => {
    const { post } = checker.document.paths['/mcp'];
    const headers = { Accept: 'application/json, text/event-stream' };
    const { example, schema } = post.requestBody.content['application/json'];
    expect(checker.problems(schema, example)).toEqual([]);
    const cases: readonly (readonly [number, unknown, string | null, object?])[] = [
      [200, example, gateway.keys.secretKey],
      [202, { jsonrpc: '2.0', method: 'notifications/initialized' }, gateway.keys.secretKey],
      [400, [example], gateway.keys.secretKey],
      [400, { jsonrpc: '2.0', id: 1 }, gateway.keys.secretKey],
      [400, example, gateway.keys.secretKey, { 'Mcp-Protocol-Version': '1999-01-01' }],
      [406, example, gateway.keys.secretKey, { Accept: '*/*' }],
      [401, example, null],
      [401, example, 'lectern_sk_x'],
      [403, example, gateway.keys.publishableKey],
    ];
    for (const [status, json, key, more] of cases) {
      const response = await gateway.send('POST', '/mcp', { json, key, headers: { ...headers, ...more } });
      expect(response.status).toBe(status);
      const documented = checker.answerOf(post, status);
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      if (documented.content === undefined) continue;
      expect(checker.problems(documented.content['application/json'].schema, response.json)).toEqual([]);
    }
  });
});
