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

const isAtMost = (soft: unknown, hard: unknown) => Number(soft ?? 0) <= Number(hard ?? Number.POSITIVE_INFINITY);

function hasDifferent(name: string, items: unknown): boolean {
  const values = Array.isArray(items) ? items.map((item) => Object(item)[name]) : [];
  return new Set(values).size === values.length;
}

/**
 * Conditions that the schema does not state: an import contains either a text or synonyms, a
 * password has more than three different characters, a soft limit is at most the hard one, each
 * model has one price, and only the rating `down` has a reason.
 */
function isPossible(id: string, value: unknown): boolean {
  const fields: Readonly<Record<string, unknown>> = Object(value);
  if (id === 'importSynonyms') return 'text' in fields !== 'synonyms' in fields;
  if (id === 'createSearchRule')
    return [fields.pins, fields.hides].some((list) => Array.isArray(list) && list.length > 0);
  if (id === 'setBudget')
    return isAtMost(fields.softTokens, fields.hardTokens) && isAtMost(fields.softCost, fields.hardCost);
  if (id === 'giveFeedback') return fields.rating === 'down' || !('reason' in fields);
  if (id === 'setModelPrices') return hasDifferent('model', fields.prices);
  if (id === 'giveFeedback') return fields.rating === 'down' || fields.reason === undefined;
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
