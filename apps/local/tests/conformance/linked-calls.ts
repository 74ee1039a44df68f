import { resolveSchema, valuesOf } from '@lectern/testing';
import fc from 'fast-check';
import type { Json } from '../support/api.ts';

/** An operation with values for all parameters of its path. */
export interface Call {
  readonly operationId: string;
  readonly path: Readonly<Record<string, string>>;
}

/** A response, with the call that it belongs to. */
interface Answer {
  readonly call: Call;
  readonly status: number;
  readonly data: Json;
}

/** Evaluates a runtime expression of OpenAPI, for example `$response.body#/data/id`. */
function evaluate(expression: string, { call, data }: Answer): unknown {
  const [, parameter] = /^\$request\.path\.(\w+)$/.exec(expression) ?? [];
  if (parameter !== undefined) return call.path[parameter];
  const pointer = expression.replace(/^\$response\.body#\//, '').split('/');
  return pointer.reduce<Json>((value, name) => value?.[name], { data });
}

/** The calls that the links of a response lead to. */
export function linkedCalls(operation: Json, answer: Answer): readonly Call[] {
  const links: readonly Json[] = Object.values(operation.responses[answer.status]?.links ?? {});
  return links.flatMap(({ operationId, parameters }) => {
    const values = Object.entries<string>(parameters).map(([name, expression]) => [name, evaluate(expression, answer)]);
    return values.every(([, value]) => typeof value === 'string')
      ? [{ operationId, path: Object.fromEntries(values) }]
      : [];
  });
}

/** Fields that identify another record, by the operation that reads it. */
const REFERENCES: Readonly<Record<string, string>> = {
  collection: 'getCollection',
  collections: 'getCollection',
  allowed_collections: 'getCollection',
  agentId: 'getAgent',
  conversationId: 'getConversation',
};

/** How often an optional field is sent, of 10: most requests with all fields are rejected because of one of them. */
const OPTIONAL = 2;

/** Returns the known ids of the records that an operation reads. */
export type KnownIds = (operationId: string) => readonly string[];

/**
 * Requests that match the schemas of an operation: a query and, if the operation has one, a JSON body. Most fields
 * that identify a record contain a known id.
 */
export function requestsOf(
  document: Json,
  operation: Json,
  known: KnownIds,
): fc.Arbitrary<{ query: string; body: unknown }> {
  const { schemas } = document.components;
  const parameters: readonly Json[] = (operation.parameters ?? [])
    .map((one: Json) => (one.$ref === undefined ? one : document.components.parameters[one.$ref.split('/').at(-1)]))
    .filter((one: Json) => one.in === 'query');
  const required = parameters.filter((one) => one.required).map(({ name }) => String(name));
  const model: Readonly<Record<string, fc.Arbitrary<unknown>>> = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, valuesOf(schemas, schema)]),
  );
  const query = likely(fc.record(model, { requiredKeys: required }), required, known).map(queryOf);
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  if (schema === undefined) return fc.record({ query, body: fc.constant(undefined) });
  const body = likely(valuesOf(schemas, schema), requiredIn(schemas, schema), known);
  return fc.record({ query, body });
}

/** The fields that a schema, or one of its alternatives, requires. */
function requiredIn(schemas: Json, schema: Json): readonly string[] {
  const found: Json = resolveSchema(schemas, schema);
  const members: readonly Json[] = found.oneOf ?? [];
  return [...(found.required ?? []), ...members.flatMap((member) => requiredIn(schemas, member))];
}

/** Leaves out most optional fields, and puts known ids into fields that identify a record. */
function likely(values: fc.Arbitrary<Json>, required: readonly string[], known: KnownIds): fc.Arbitrary<Json> {
  return fc.tuple(values, fc.infiniteStream(fc.nat({ max: 999 }))).map(([value, numbers]) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const choose = (below: number): number => (numbers.next().value ?? 0) % below;
    const fields = Object.entries<Json>(value).filter(([name]) => required.includes(name) || choose(10) < OPTIONAL);
    return Object.fromEntries(
      fields.map(([name, field]) => {
        const ids = known(REFERENCES[name] ?? '');
        if (ids.length === 0 || choose(10) === 0) return [name, field];
        const id = ids[choose(ids.length)];
        return [name, Array.isArray(field) ? [id] : id];
      }),
    );
  });
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}
