import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDocument, operations, pythonName, SDK_RESOURCES, type SdkResource } from '@lectern/api-spec';
import { Lectern } from '@lectern/sdk';
import { resolveSchema, valuesOf } from '@lectern/testing';
import { respond, respondWithEvents, startServer, type TestServer } from '@lectern/testing/fake-api';
import { findPython, missingPython } from '@lectern/testing/python';
import { describeIf } from '@lectern/testing/skip';
import fc from 'fast-check';
import { pathArguments } from '#names';
import { type Driver, startDriver } from './support/driver.ts';

// biome-ignore lint/suspicious/noExplicitAny: methods and schemas are found by name
type Any = any;

const document: Any = createDocument(operations);
const { schemas } = document.components;
const SETTINGS = { key: 'lectern_sk_x', teamId: 'team_1' };

/** Methods that each SDK writes by hand. */
const BY_HAND = ['search.all', 'sync.done', 'files.upload'];

/** Each method of the resources by its name in the TypeScript SDK, with its operation. */
function methodsOf(
  resources: Readonly<Record<string, SdkResource>>,
  prefix = '',
): readonly (readonly [string, string])[] {
  return Object.entries(resources).flatMap(([name, { methods, nested = {} }]) => [
    ...Object.entries(methods).map(([method, id]) => [`${prefix}${name}.${method}`, id] as const),
    ...methodsOf(nested, `${prefix}${name}.`),
  ]);
}
const METHODS = methodsOf(SDK_RESOURCES);

/** The methods of the TypeScript SDK, by name. */
function methodsIn(value: object, prefix = ''): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    if (prefix === '' && name === 'client') return [];
    if (typeof member === 'function') return [prefix + name];
    return methodsIn(member, `${prefix}${name}.`);
  });
}

/** Methods of the TypeScript SDK whose arguments are not the parameters of the path, the query and the body. */
const TYPESCRIPT_ARGUMENTS: Readonly<Record<string, (path: Any, body: Any, query: Any) => readonly unknown[]>> = {
  decideApproval: ({ id: agentId, ...rest }, body) => [{ agentId, ...rest }, body],
  createDocuments: ({ id }, { documents }) => [id, documents],
  deleteFiles: ({ id }, { files }) => [id, files],
  pushItems: ({ id }, { items }, query) => [id, items, query],
  setModelPrices: (_path, { prices }) => [prices],
};

const ids = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((value) => value !== '.' && value !== '..' && value.isWellFormed());
const options = fc.record(
  {
    user: fc.constantFrom('ada@example.com', 'José@example.com'),
    idempotencyKey: fc.stringMatching(/^[a-z0-9]{8,40}$/),
    ifMatch: fc.stringMatching(/^"[a-z0-9]{1,20}\.[a-z0-9]{1,20}"$/),
  },
  { requiredKeys: [] },
);

const operationOf = (id: string): { readonly path: string; readonly operation: Any } => {
  for (const [path, methods] of Object.entries<Any>(document.paths)) {
    for (const operation of Object.values<Any>(methods)) if (operation.operationId === id) return { path, operation };
  }
  throw new TypeError(`The operation ${id} is not in the document.`);
};

/** Fields of a body that the server only returns. */
const withoutReadOnly = (schema: Any, body: Any): Any => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { properties = {} } = resolveSchema(schemas, schema) as Any;
  return Object.fromEntries(Object.entries(body).filter(([name]) => properties[name]?.readOnly !== true));
};

/** Generates the input of an operation: the values in the path, the query and the body. */
function inputsOf(id: string): fc.Arbitrary<Any> {
  const { path, operation } = operationOf(id);
  const parameters = (operation.parameters ?? []).filter((one: Any) => one.in === 'query');
  const schema = operation.requestBody?.content['application/json']?.schema;
  const names = pathArguments(path).map(({ wire }) => wire);
  const query = Object.fromEntries(parameters.map((one: Any) => [one.name, valuesOf(schemas, one.schema)]));
  const required = parameters.filter((one: Any) => one.required).map((one: Any) => one.name);
  return fc.record({
    path: fc.record(Object.fromEntries(names.map((name) => [name, name === 'teamId' ? fc.constant('team_1') : ids]))),
    query: fc.record(query, { requiredKeys: required }),
    body:
      schema === undefined
        ? fc.constant(undefined)
        : valuesOf(schemas, schema).map((body) => withoutReadOnly(schema, body)),
    options,
  });
}

/** A request without what differs between two equal ones. */
function comparable({ method, url, headers, body }: TestServer['requests'][number]): unknown {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const { 'idempotency-key': key = '' } = headers;
  const generated = /^[0-9a-f]{32}$/.test(String(key)) ? 'generated' : key;
  const names = ['content-type', 'accept', 'x-service-key', 'x-service-user', 'if-match', 'last-event-id'];
  return {
    method,
    path: pathname.split('/').map((segment) => decodeURIComponent(segment)),
    query: [...searchParams].sort(),
    headers: [generated, ...names.map((name) => headers[name])],
    body: body === '' ? '' : JSON.parse(body),
  };
}

const python = findPython('httpx');

describe('the resources of the Python SDK', () => {
  it('have the methods of the TypeScript SDK', () => {
    const names = [...METHODS.map(([name]) => name), ...BY_HAND].sort();
    expect(names).toEqual([...methodsIn(new Lectern({ baseUrl: 'http://localhost' }))].sort());
  });
});

describeIf(python !== undefined, missingPython('httpx'))(
  'the Python SDK sends the request of the TypeScript SDK',
  () => {
    let server: TestServer;
    let driver: Driver;
    let typescript: Any;
    beforeAll(async () => {
      server = await startServer();
      const { key, teamId } = SETTINGS;
      driver = startDriver(String(python), { base_url: server.url, key, team_id: teamId });
      typescript = new Lectern({ baseUrl: server.url, ...SETTINGS });
    });
    afterAll(async () => {
      await driver?.stop();
      await server?.stop();
    });

    /** Responds in the way that the operation documents. */
    const respondAs = (id: string) => {
      const stream = operations.find((operation) => operation.id === id)?.stream;
      const { lines } = Object(operations.find((operation) => operation.id === id));
      server.handle = (_request, response) => {
        if (stream !== undefined) {
          respondWithEvents(response, [stream.terminal, {}]);
          response.end();
        } else if (lines === undefined) {
          respond(response, 200, { data: [], meta: { page: 1, limit: 20, total: 0, hasMore: false } });
        } else response.end('{"id":"evt_1"}\n');
      };
    };

    const requestOf = async (call: () => Promise<unknown>): Promise<unknown> => {
      server.requests.length = 0;
      await call();
      return server.requests.map(comparable);
    };

    /** Reads a list or a stream to its end. Awaiting a list would only read a page. */
    const readAll = (value: Any): Promise<unknown> =>
      typeof value[Symbol.asyncIterator] === 'function' ? Array.fromAsync(value) : value;

    const pythonOptions = ({ user, idempotencyKey, ifMatch }: Any) => ({
      ...(user === undefined ? {} : { user }),
      ...(idempotencyKey === undefined ? {} : { idempotency_key: idempotencyKey }),
      ...(ifMatch === undefined ? {} : { if_match: ifMatch }),
    });

    it.each(METHODS)('with %s', async (name, id) => {
      respondAs(id);
      const { path, operation } = operationOf(id);
      const [resource, ...rest] = name.split('.');
      const owner = rest.slice(0, -1).reduce((target, part) => target[part], typescript[String(resource)]);
      const method = owner[String(rest.at(-1))].bind(owner);
      const shown = pathArguments(path).filter(({ wire }) => wire !== 'teamId');
      const takesBody = operation.requestBody !== undefined && inputsBody(operation);
      const takesQuery = (operation.parameters ?? []).some((one: Any) => one.in === 'query');
      const whole = takesBody && resolveSchema(schemas, bodySchema(operation)).anyOf !== undefined;
      await fc.assert(
        fc.asyncProperty(inputsOf(id), async ({ path: values, query, body, options: given }) => {
          const inPath = shown.map(({ wire }) => values[wire]);
          const special = TYPESCRIPT_ARGUMENTS[id];
          const args = special?.(values, body, query) ?? [
            ...inPath,
            ...(takesQuery ? [query] : []),
            ...(takesBody ? [body] : []),
          ];
          const expected = await requestOf(() => readAll(method(...args, given)));
          const kwargs = Object.fromEntries(
            Object.entries({ ...query, ...(whole || !takesBody ? {} : body) }).map(([key, value]) => [
              pythonName(key),
              value,
            ]),
          );
          for (const isAsync of [false, true]) {
            const command = {
              async: isAsync,
              method: name.split('.').map(pythonName).join('.'),
              args: [...inPath, ...(whole ? [body] : [])],
              kwargs,
              options: pythonOptions(given),
            };
            expect(await requestOf(() => driver.run(command))).toEqual(expected);
          }
        }),
        { numRuns: 5 },
      );
    });

    it('with files', async () => {
      const file = fc.record(
        {
          name: fc.string({ unit: 'grapheme', minLength: 1 }),
          data: fc.string({ unit: 'grapheme' }),
          type: fc.constantFrom('text/plain', 'text/markdown; charset=utf-8'),
        },
        { requiredKeys: ['name', 'data'] },
      );
      const metadata = fc.option(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())), {
        nil: undefined,
      });
      const bodyOf = async (call: () => Promise<unknown>) => {
        server.requests.length = 0;
        await call();
        return server.requests.map(({ method, url, headers, body }) => {
          const boundary = /boundary=(\S+)$/.exec(String(headers['content-type']))?.[1] ?? '';
          return [method, url, headers['content-length'], headers['idempotency-key'], body.replaceAll(boundary, '')];
        });
      };
      respondAs('uploadFiles');
      await fc.assert(
        fc.asyncProperty(fc.array(file, { maxLength: 3 }), metadata, options, async (files, fields, given) => {
          const all = { ...given, ...(fields === undefined ? {} : { metadata: fields }) };
          const expected = await bodyOf(() => typescript.files.upload('con_1', files, all));
          const kwargs = fields === undefined ? {} : { metadata: fields };
          for (const isAsync of [false, true]) {
            const command = { method: 'files.upload', args: ['con_1', files], kwargs, options: pythonOptions(given) };
            expect(await bodyOf(() => driver.run({ ...command, async: isAsync }))).toEqual(expected);
          }
        }),
        { numRuns: 30 },
      );
    });

    it.each(operations.filter(({ body }) => body.kind !== 'multipart').map(({ id }) => id))(
      'with the id %s',
      async (id) => {
        respondAs(id);
        const spec = operations.find((operation) => operation.id === id);
        const { lines } = Object(spec);
        const kind = spec?.stream !== undefined ? 'events' : lines !== undefined ? 'lines' : 'call';
        await fc.assert(
          fc.asyncProperty(inputsOf(id), async ({ path, query, body, options: given }) => {
            const input = { path, query, ...(body === undefined ? {} : { body }) };
            const expected = await requestOf(() => readAll(typescript.client[kind](id, input, given)));
            const kwargs = { path, query, ...(body === undefined ? {} : { body }) };
            const command = { method: `client.${kind}`, args: [id], kwargs, options: pythonOptions(given) };
            expect(await requestOf(() => driver.run({ ...command, async: false }))).toEqual(expected);
          }),
          { numRuns: 2 },
        );
      },
    );
  },
);

const bodySchema = (operation: Any): Any => operation.requestBody.content['application/json'].schema;

/** True if the body has fields. */
const inputsBody = (operation: Any): boolean => {
  const schema = resolveSchema(schemas, bodySchema(operation)) as Any;
  return schema.properties === undefined || Object.keys(schema.properties).length > 0;
};
