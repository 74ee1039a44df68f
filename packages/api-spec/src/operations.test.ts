import { describe, expect, it } from '@jest/globals';
import { createDocument } from '#openapi/document';
import { OPENAI_OPERATIONS } from '#openapi/openai-paths';
import { OTHERS } from '#openapi/other-paths';
import { operations } from '#operations';
import { accessOf, OPERATIONS_WITH_ACCESS } from '#roles';

const document = createDocument(operations, OTHERS);

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== '';

/** A reference counts, because every component has a description. */
function isDescribed(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const alternatives = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return isText(schema.description) || '$ref' in schema || alternatives.some((inner) => '$ref' in Object(inner));
}

/** The paths of all properties without a description. `isMap` is true for a map of properties. */
function undescribed(value: unknown, path: string, isMap = false): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => undescribed(item, `${path}/${index}`));
  if (!isObject(value)) return [];
  const missing = isMap ? Object.keys(value).filter((name) => !isDescribed(value[name])) : [];
  const inner = Object.entries(value).flatMap(([name, item]) =>
    !isMap && (name === 'example' || name === 'examples')
      ? []
      : undescribed(item, `${path}/${name}`, !isMap && name === 'properties'),
  );
  return [...missing.map((name) => `${path}/${name}`), ...inner];
}

describe('the OpenAPI document', () => {
  it('has a summary and a description for each operation', () => {
    const missing = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        isText(Reflect.get(operation, 'summary')) && isText(Reflect.get(operation, 'description'))
          ? []
          : [`${method} ${path}`],
      ),
    );
    expect(missing).toEqual([]);
  });

  it('has a description for each parameter', () => {
    const missing = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.values(methods).flatMap((operation) => {
        const parameters: unknown = Reflect.get(operation, 'parameters');
        return (Array.isArray(parameters) ? parameters : [])
          .filter((parameter) => !isDescribed(parameter))
          .map((parameter) => `${path} ${Reflect.get(Object(parameter), 'name')}`);
      }),
    );
    expect(missing).toEqual([]);
  });

  it('has a description for each component and each property', () => {
    const { schemas, headers, parameters } = document.components;
    const components = Object.entries({ ...schemas, ...headers, ...parameters });
    expect(components.filter(([, schema]) => !isText(Reflect.get(Object(schema), 'description')))).toEqual([]);
    expect(undescribed(document, '')).toEqual([]);
  });

  it('documents each error code', () => {
    const text = JSON.stringify(document.components.responses);
    for (const code of ['invalid_request', 'invalid_signature', 'rate_limited', 'precondition_failed', 'timeout']) {
      expect(text).toContain(`\`${code}\`: `);
    }
  });
});

describe('the table of operations', () => {
  it('has unique ids and unique routes', () => {
    const ids = operations.map(({ id }) => id);
    const routes = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('has a response, a stream or lines for each operation', () => {
    const kinds = operations.map(({ response, stream, lines }) => [response, stream, lines].filter(Boolean).length);
    expect(new Set(kinds)).toEqual(new Set([1]));
  });
});

describe('the table of access', () => {
  const withCaller = operations.filter(({ access }) => access !== 'open');

  it('has a row for exactly the operations that need a caller', () => {
    const ids = [...withCaller.map(({ id }) => id), 'mcp', ...OPENAI_OPERATIONS];
    expect([...OPERATIONS_WITH_ACCESS].sort()).toEqual(ids.sort());
  });

  it('allows publishable keys exactly where the operations do', () => {
    const publishable = withCaller.filter(({ access }) => access === 'publishable').map(({ id }) => id);
    const inTable = OPERATIONS_WITH_ACCESS.filter((id) => accessOf(id).publishable);
    expect(inTable.sort()).toEqual(publishable.sort());
  });

  it('allows user tokens wherever it allows publishable keys', () => {
    for (const id of OPERATIONS_WITH_ACCESS) if (accessOf(id).publishable) expect(accessOf(id).userToken).toBe(true);
  });

  it('documents the role, the right and the user tokens of each operation', () => {
    for (const { id, method, path, isForPeople } of withCaller) {
      const { role, right } = accessOf(id);
      const described: unknown = Reflect.get(Object(document.paths[path]?.[method]), 'description');
      if (isForPeople === true) {
        expect(described).toContain('For every signed-in person.');
        continue;
      }
      expect(described).toContain(`Least role of a signed-in person: ${role ?? 'none'}`);
      expect(described).toContain(`Right of a secret key: ${right === null ? 'none' : `\`${right}\``}`);
      expect(Reflect.get(Object(document.paths[path]?.[method]), 'x-lectern-access')).toEqual(accessOf(id));
    }
  });
});
