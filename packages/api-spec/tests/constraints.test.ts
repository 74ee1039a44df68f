import { describe, expect, it } from '@jest/globals';
import { resolveSchema, valuesOf, violationsOf } from '@lectern/testing';
import fc from 'fast-check';
import { createDocument } from '#openapi/document';
import type { OperationSpec } from '#operation';
import { operations } from '#operations';

const document = createDocument(operations);
const { schemas } = document.components;

/** Operations with a JSON body that the gateway validates as a whole. */
const WITH_BODY = operations.filter(
  ({ body }) => body.kind === 'json' || body.kind === 'items' || body.kind === 'record',
);

const bodyOf = ({ path, method }: OperationSpec) => {
  const { requestBody } = Object(document.paths[path]?.[method]);
  return resolveSchema(schemas, requestBody.content['application/json'].schema);
};

const parse = ({ body }: OperationSpec, value: unknown) => body.schema?.safeParse(value);

/**
 * Conditions that the schema does not state: an import contains either a text or synonyms, and a
 * password has more than three different characters.
 */
function isPossible(id: string, value: unknown): boolean {
  const fields: Readonly<Record<string, unknown>> = Object(value);
  if (id === 'importSynonyms') return 'text' in fields !== 'synonyms' in fields;
  const passwords = Object.entries(fields).filter(([name]) => /password/i.test(name));
  return passwords.every(([, password]) => new Set(String(password)).size > 3);
}

describe('the schema of a body', () => {
  it.each(WITH_BODY.map((operation) => [operation.id, operation] as const))(
    'of %s generates what the gateway accepts',
    (id, operation) => {
      const values = valuesOf(schemas, bodyOf(operation));
      fc.assert(
        fc.property(
          values.filter((value) => isPossible(id, value)),
          (value) => {
            expect(parse(operation, value)?.error?.issues ?? []).toEqual([]);
          },
        ),
        { numRuns: 30 },
      );
    },
  );

  it.each(WITH_BODY.map((operation) => [operation.id, operation] as const))(
    'of %s describes why the gateway rejects a field',
    (_id, operation) => {
      const schema = bodyOf(operation);
      // The connector service checks the provider of an authorization.
      const isChecked = ([name, inner]: readonly [string, unknown]) =>
        Object(inner).readOnly !== true && name !== 'provider';
      const fields = Object.entries(Object(schema.properties)).filter(isChecked);
      for (const [name, inner] of fields) {
        for (const { field, value } of violationsOf(schemas, name, Object(inner))) {
          const rejected = parse(operation, { [field]: value })?.error?.issues.map(({ path }) => path[0]);
          expect({ field, value, rejected }).toEqual({ field, value, rejected: expect.arrayContaining([field]) });
        }
      }
    },
  );
});
