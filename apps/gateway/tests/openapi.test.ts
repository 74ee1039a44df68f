import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { operations } from '#operations/table';
import { checkerOf, type DocumentChecker, unknownFields } from './support/document.ts';
import { parseEvents } from './support/events.ts';
import { startTestGateway, type TestGateway } from './support/gateway.ts';
import { MATRIX, NO_KEY } from './support/matrix.ts';
import { sampleInit, samplePath, TABLE } from './support/samples.ts';

let gateway: TestGateway;
let served: string;
let checker: DocumentChecker;
beforeAll(async () => {
  gateway = await startTestGateway();
  const answer = await gateway.send('GET', '/openapi.json', { key: null });
  served = answer.text;
  checker = checkerOf(answer.json);
});
afterAll(() => gateway.stop());

describe('/openapi.json', () => {
  it('is served without a key, and not sent again to whoever has it', async () => {
    const first = await gateway.send('GET', '/openapi.json', { key: null });
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toMatch(/^application\/json/);
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    // Node's fetch would ask for a fresh copy of its own accord.
    const headers = { 'If-None-Match': String(first.headers.get('etag')), 'Cache-Control': 'max-age=0' };
    const second = await gateway.send('GET', '/openapi.json', { key: null, headers });
    expect({ status: second.status, length: second.text.length }).toEqual({ status: 304, length: 0 });
    expect((await gateway.send('HEAD', '/openapi.json', { key: null })).text).toBe('');
    expect((await gateway.send('POST', '/openapi.json', { key: null })).status).toBe(405);
  });

  it('lints clean', async () => {
    // Agents have runs beside the templates that agents are made from: paths that only a reader of patterns takes for the same.
    const config = await createConfig({ extends: ['recommended'], rules: { 'no-ambiguous-paths': 'off' } });
    const problems = await lintFromString({ source: served, config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('has the operations of the table, which are the routes of the router, and no others', () => {
    const described = checker.operations().map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
    expect(described.sort()).toEqual([...NO_KEY, ...Object.keys(MATRIX)].sort());
  });

  it('tells which keys each operation takes', () => {
    for (const { method, path, operation } of checker.operations()) {
      const name = `${method} ${path}`;
      const schemes = operation.security.map((scheme: object) => Object.keys(scheme)[0]);
      const row = MATRIX[name];
      expect({ name, open: schemes.length === 0 }).toEqual({ name, open: NO_KEY.includes(name) });
      expect({ name, pages: schemes.includes('publishableKey') }).toEqual({ name, pages: row?.publishable === 'ok' });
    }
  });

  it('gives an example of every body and every answer, and each is one', () => {
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

/** Of operations whose body has no fields. */
const isEmptyBody = (schema: object): boolean => JSON.stringify(Reflect.get(schema, 'properties')) === '{}';

describe('every operation, driven by the document,', () => {
  it.each(TABLE)('%s answers as it says', async (_name, { method, path, id }) => {
    const operation = checker.document.paths[path][method];
    const init = sampleInit(id);
    if (init.json !== undefined) {
      const { schema } = operation.requestBody.content['application/json'];
      expect(checker.problems(schema, init.json)).toEqual([]);
    }
    const answer = await gateway.send(method, samplePath(path, gateway.keys.teamId), init);
    const said = checker.answerOf(operation, answer.status);
    expect({ status: answer.status, known: said !== undefined }).toEqual({ status: answer.status, known: true });
    for (const [name, header] of Object.entries<{ $ref?: string }>(said.headers)) {
      const known = checker.document.components.headers[header.$ref?.split('/').at(-1) ?? ''];
      if (known?.required) expect({ name, value: answer.headers.get(name) }).not.toEqual({ name, value: null });
    }
    const [mediaType = '', media] = Object.entries<{ schema: object }>(said.content)[0] ?? [];
    expect(answer.headers.get('content-type')).toContain(mediaType);
    const values = mediaType === 'text/event-stream' ? parseEvents(answer.text) : [answer.json];
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) {
      expect(checker.problems(media?.schema ?? {}, value)).toEqual([]);
      expect(unknownFields(checker.document, media?.schema, value)).toEqual([]);
    }
  });

  it.each(TABLE)('%s refuses as it says', async (_name, { method, path, access }) => {
    const operation = checker.document.paths[path][method];
    const unknown = path.replaceAll(/\{(?!teamId)\w+\}/g, 'unknown').replace('{teamId}', gateway.keys.teamId);
    const keys =
      access === 'open' ? [null] : [null, gateway.keys.secretKey, gateway.keys.publishableKey, 'lectern_sk_x'];
    for (const key of keys) {
      for (const body of ['{"unknown": ', '{"unknown": 1}', undefined]) {
        const headers = { 'Content-Type': 'application/json' };
        const sent = method === 'get' || body === undefined ? {} : { body, headers };
        const answer = await gateway.send(method, unknown, { key, ...sent });
        if (answer.status < 400) continue;
        const said = checker.answerOf(operation, answer.status);
        expect({ status: answer.status, known: said !== undefined }).toEqual({ status: answer.status, known: true });
        expect(checker.problems(said.content['application/json'].schema, answer.json)).toEqual([]);
      }
    }
  });
});

describe('/docs', () => {
  it('is one page with every operation, that may load nothing and run nothing', async () => {
    const page = await gateway.send('GET', '/docs', { key: null });
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    for (const { id } of operations) expect(page.text).toContain(`<article id="${id}">`);
    expect(page.text).not.toMatch(/<script|\bsrc=|url\(|@import|href="(?:https?:)?\/\//);
  });
});
