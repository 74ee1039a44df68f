import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { operations } from '#operations/table';
import type { Operation } from '#pipeline/operation';
import { type SendInit, startTestGateway, type TestGateway } from './support/gateway.ts';
import { KNOWN } from './support/records.ts';
import { sampleInit, samplePath } from './support/samples.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const RUNS = { numRuns: 250 };
const anyOperation = fc.constantFrom(...operations);
const anyJsonOperation = fc.constantFrom(...operations.filter(({ body }) => body.mediaType === 'application/json'));
const text = fc.string({ unit: 'binary', maxLength: 40 });

async function expectNoServerError(
  { method, path }: Operation,
  target: (path: string) => string,
  init: SendInit,
): Promise<void> {
  const response = await gateway.send(method, target(samplePath(path, gateway.keys.teamId)), init);
  expect(response.status).toBeLessThan(500);
  if (response.status >= 400) expect(response.json.error.message).not.toMatch(/^\s*at .+:\d+:\d+|node_modules/m);
}

const fieldsOf = ({ body }: Operation): string[] =>
  body.schema instanceof z.ZodObject ? [...Object.keys(body.schema.shape), 'name'] : ['name'];

/** Plausible and absurd values for a field. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.anything({ maxDepth: 3 }),
  fc.constantFrom(null, -1, 0, 2 ** 31, 2 ** 53, 1e308, '', '\0', '\ud800', [], {}, [''], KNOWN.collection, [
    KNOWN.collection,
  ]),
  text,
  fc.array(text),
  fc.double(),
);

const bodyOf = (operation: Operation) =>
  fc
    .dictionary(fc.oneof(fc.constantFrom(...fieldsOf(operation)), text), value, { noNullPrototype: true })
    .map((changed) => {
      const { json } = sampleInit(operation.id);
      return { ...Object(json), ...changed };
    });

function stringify(body: unknown): string {
  return JSON.stringify(body, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item)) ?? '';
}

describe('the gateway', () => {
  it('survives random fields in a body', () =>
    fc.assert(
      fc.asyncProperty(
        anyJsonOperation.chain((operation) => fc.tuple(fc.constant(operation), bodyOf(operation))),
        ([operation, body]) =>
          expectNoServerError(operation, (path) => path, {
            body: stringify(body),
            headers: { 'Content-Type': 'application/json' },
          }),
      ),
      RUNS,
    ));

  it('survives random bytes as a body', () =>
    fc.assert(
      fc.asyncProperty(
        anyOperation,
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(
          'application/json',
          'multipart/form-data; boundary=x',
          'text/plain',
          'application/json; charset=utf-16',
        ),
        fc.constantFrom('identity', 'gzip', 'deflate', 'br', 'zstd'),
        (operation, bytes, type, encoding) => {
          const headers = { 'Content-Type': type, 'Content-Encoding': encoding };
          const init = operation.method === 'get' ? { headers } : { headers, body: new Uint8Array(bytes) };
          return expectNoServerError(operation, (path) => path, init);
        },
      ),
      RUNS,
    ));

  it('survives random parts of an upload', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            disposition: fc.oneof(
              text.map((name) => `form-data; name="files"; filename="${name.replaceAll(/[\r\n]/g, '')}"`),
              fc.constantFrom(
                'form-data; name="metadata"',
                'form-data; name="files"; filename*=utf-8\'\'%e2%82',
                'form-data',
                '',
              ),
            ),
            content: fc.oneof(text, fc.json()),
          }),
          { maxLength: 4 },
        ),
        fc.constantFrom('--x--\r\n', '', '--x'),
        (parts, end) => {
          const encodedParts = parts.map(
            ({ disposition, content }) => `--x\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`,
          );
          const upload = operations.find(({ id }) => id === 'uploadFiles')!;
          const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
          return expectNoServerError(upload, (path) => path, { body: encodedParts.join('') + end, headers });
        },
      ),
      RUNS,
    ));

  it('survives random paths and queries', () =>
    fc.assert(
      fc.asyncProperty(
        anyOperation,
        text,
        fc.constantFrom('page', 'limit', 'status', 'keepDocuments', 'x'),
        text,
        (operation, id, name, value) => {
          const segment = encodeURIComponent(id.toWellFormed());
          const query = `?${name}=${encodeURIComponent(value.toWellFormed())}`;
          const target = (path: string) => path.replace(/[a-z]+_01h455vb4pex5vsknk084sn02q/, segment || '%20') + query;
          return expectNoServerError(operation, target, sampleInit(operation.id));
        },
      ),
      RUNS,
    ));

  it('survives random values of the headers that it reads', () =>
    fc.assert(
      fc.asyncProperty(
        anyOperation,
        fc.constantFrom('X-Service-Key', 'Authorization', 'X-Service-User', 'Accept', 'X-Request-Id', 'Content-Type'),
        fc.string({
          unit: fc
            .integer({ min: 0x20, max: 0xff })
            .filter((code) => code !== 0x7f)
            .map((code) => String.fromCharCode(code)),
        }),
        (operation, header, value) => {
          const headers = { [header]: header === 'Authorization' ? `Bearer ${value}` : value };
          return expectNoServerError(operation, (path) => path, { ...sampleInit(operation.id), headers });
        },
      ),
      RUNS,
    ));
});
