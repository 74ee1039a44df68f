import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
import { errorResponses } from '#openapi/error-responses';
import { headerParameters, notModified, redirectHeaders, successHeaders } from '#openapi/headers';
import { type Components, type JsonSchema, toJsonSchema } from '#openapi/json-schema';
import { SECURITY } from '#openapi/security';
import { streamResponse } from '#openapi/stream-response';
import { tagOf } from '#openapi/tags';
import type { OperationSpec } from '#operation';

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Describes a parameter. In OpenAPI, its description and example are outside the schema. */
function parameter(location: 'path' | 'query', name: string, parent: JsonSchema): object {
  const { description, examples, ...rest } = Object(Object(parent.properties)[name]);
  const required = location === 'path' || (Array.isArray(parent.required) && parent.required.includes(name));
  return {
    name,
    in: location,
    required,
    ...(description === undefined ? {} : { description }),
    schema: rest,
    ...(Array.isArray(examples) ? { example: examples[0] } : {}),
  };
}

function parametersIn(location: 'path' | 'query', schema: z.ZodObject, components: Components): readonly object[] {
  const object = toJsonSchema(schema, 'input', components);
  return Object.keys(schema.shape).map((name) => parameter(location, name, object));
}

/** Returns the example of a schema, or of the component that it refers to. */
function exampleOf(schema: JsonSchema, components: Components): unknown {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  const examples = name === undefined ? schema.examples : components.get(name)?.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}

function requestBody({ body }: OperationSpec, components: Components): object | undefined {
  if (body.schema === null || body.mediaType === null) return undefined;
  const { examples, ...schema } = toJsonSchema(
    body.kind === 'record' ? body.accepted : body.schema,
    'input',
    components,
  );
  const example = exampleOf({ ...schema, examples }, components);
  const content = { [body.mediaType]: { schema, ...(example === undefined ? {} : { example }) } };
  return { required: body.required, content };
}

/** Describes the envelope around the data of a response. */
function envelope(operation: OperationSpec, components: Components): object {
  const { data, paged } = operation.response ?? {};
  if (data === undefined) throw new TypeError(`${operation.id} has no response schema`);
  const schema = toJsonSchema(data, 'output', components);
  const meta = refTo(paged ? 'PageMeta' : 'Meta');
  const item = schema.type === 'array' && schema.items ? exampleOf(Object(schema.items), components) : undefined;
  const example = item === undefined ? exampleOf(schema, components) : [item];
  const { examples: _, ...bare } = schema;
  const body = { type: 'object', required: ['data', 'meta'], properties: { data: describedData(bare), meta } };
  const metaExample = exampleOf(meta, components);
  const withExample = example === undefined ? {} : { example: { data: example, meta: metaExample } };
  return { content: { 'application/json': { schema: body, ...withExample } } };
}

const describedData = (schema: JsonSchema): JsonSchema =>
  '$ref' in schema || 'description' in schema ? schema : { ...schema, description: 'The result.' };

function success(operation: OperationSpec, components: Components): object {
  const description = STATUS_CODES[operation.success] ?? 'Success';
  const headers = successHeaders(operation);
  if (operation.stream === undefined) return { description, headers, ...envelope(operation, components) };
  return { description, headers, ...streamResponse(operation.id, operation.stream, components) };
}

function otherSuccess(operation: OperationSpec, components: Components): object {
  if (operation.otherSuccess === undefined) return {};
  const { status, description } = operation.otherSuccess;
  return { [status]: { description, headers: successHeaders(operation), ...envelope(operation, components) } };
}

/** Describes an operation in OpenAPI. Adds schemas with an id to the components. */
export function describeOperation(operation: OperationSpec, components: Components): object {
  const body = requestBody(operation, components);
  const redirect = { '302': { description: 'Found: the browser is redirected.', headers: redirectHeaders() } };
  return {
    operationId: operation.id,
    tags: [tagOf(operation.path)],
    summary: operation.summary,
    description: operation.description,
    security: SECURITY[operation.access],
    parameters: [
      ...parametersIn('path', operation.params, components),
      ...parametersIn('query', operation.query, components),
      ...headerParameters(operation),
    ],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      [operation.success]: success(operation, components),
      ...otherSuccess(operation, components),
      ...(operation.redirects === true ? redirect : {}),
      ...notModified(operation),
      ...errorResponses(operation),
    },
  };
}
