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
const operation = fc.constantFrom(...operations);
const operationWithJson = fc.constantFrom(...operations.filter(({ body }) => body.mediaType === 'application/json'));
const text = fc.string({ unit: 'binary', maxLength: 40 });

async function survives({ method, path }: Operation, target: (path: string) => string, init: SendInit): Promise<void> {
  const answer = await gateway.send(method, target(samplePath(path, gateway.keys.teamId)), init);
  expect(answer.status).toBeLessThan(500);
  if (answer.status >= 400) expect(answer.json.error.message).not.toMatch(/^\s*at .+:\d+:\d+|node_modules/m);
}

const fieldsOf = ({ body }: Operation): string[] =>
  body.schema instanceof z.ZodObject ? [...Object.keys(body.schema.shape), 'name'] : ['name'];

/** Values near what a field takes, and far from it. */
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

const bodyOf = (given: Operation) =>
  fc
    .dictionary(fc.oneof(fc.constantFrom(...fieldsOf(given)), text), value, { noNullPrototype: true })
    .map((changed) => {
      const { json } = sampleInit(given.id);
      return { ...Object(json), ...changed };
    });

function stringify(body: unknown): string {
  return JSON.stringify(body, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item)) ?? '';
}

describe('no input makes the gateway fail', () => {
  it('in the fields of a body', () =>
    fc.assert(
      fc.asyncProperty(
        operationWithJson.chain((given) => fc.tuple(fc.constant(given), bodyOf(given))),
        ([given, body]) =>
          survives(given, (path) => path, { body: stringify(body), headers: { 'Content-Type': 'application/json' } }),
      ),
      RUNS,
    ));

  it('in the bytes of a body', () =>
    fc.assert(
      fc.asyncProperty(
        operation,
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(
          'application/json',
          'multipart/form-data; boundary=x',
          'text/plain',
          'application/json; charset=utf-16',
        ),
        fc.constantFrom('identity', 'gzip', 'deflate', 'br', 'zstd'),
        (given, bytes, type, encoding) => {
          const headers = { 'Content-Type': type, 'Content-Encoding': encoding };
          const init = given.method === 'get' ? { headers } : { headers, body: new Uint8Array(bytes) };
          return survives(given, (path) => path, init);
        },
      ),
      RUNS,
    ));

  it('in the parts of an upload', () =>
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
          const pieces = parts.map(
            ({ disposition, content }) => `--x\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`,
          );
          const upload = operations.find(({ id }) => id === 'uploadFiles')!;
          const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
          return survives(upload, (path) => path, { body: pieces.join('') + end, headers });
        },
      ),
      RUNS,
    ));

  it('in the path and the query', () =>
    fc.assert(
      fc.asyncProperty(
        operation,
        text,
        fc.constantFrom('page', 'limit', 'status', 'keepDocuments', 'x'),
        text,
        (given, id, name, value) => {
          const segment = encodeURIComponent(id.toWellFormed());
          const query = `?${name}=${encodeURIComponent(value.toWellFormed())}`;
          const target = (path: string) => path.replace(/[a-z]+_01h455vb4pex5vsknk084sn02q/, segment || '%20') + query;
          return survives(given, target, sampleInit(given.id));
        },
      ),
      RUNS,
    ));

  it('in the headers that it reads', () =>
    fc.assert(
      fc.asyncProperty(
        operation,
        fc.constantFrom('X-Service-Key', 'Authorization', 'X-Service-User', 'Accept', 'X-Request-Id', 'Content-Type'),
        fc.string({
          unit: fc
            .integer({ min: 0x20, max: 0xff })
            .filter((code) => code !== 0x7f)
            .map((code) => String.fromCharCode(code)),
        }),
        (given, header, value) => {
          const headers = { [header]: header === 'Authorization' ? `Bearer ${value}` : value };
          return survives(given, (path) => path, { ...sampleInit(given.id), headers });
        },
      ),
      RUNS,
    ));
});
