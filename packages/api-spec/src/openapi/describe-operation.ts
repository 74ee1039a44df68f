import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { BodySpec } from '#body';
import { addComponent, type Components, type JsonSchema, nameIn, pascalCase, refTo } from '#openapi/components';
import { errorResponses } from '#openapi/error-responses';
import { headerParameters, notModified, redirectHeaders, successHeaders } from '#openapi/headers';
import { toJsonSchema } from '#openapi/json-schema';
import type { Links } from '#openapi/links';
import { securityOf } from '#openapi/security';
import { streamResponse } from '#openapi/stream-response';
import { tagOf } from '#openapi/tags';
import type { LinesSpec, OperationSpec } from '#operation';
import { accessOf, tokenRightOf } from '#roles';
import { codeSamples, type ExampleRequest } from '#sdk/code-samples';

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
  const name = nameIn(schema);
  const examples = name === undefined ? schema.examples : components.get(name)?.examples;
  return Array.isArray(examples) ? examples[0] : undefined;
}

/** The schema of a body that accepts more, or less, than the gateway's schema of it. */
const documentedBody = (body: BodySpec): z.ZodType | undefined => {
  if (body.kind === 'record') return body.accepted;
  return body.kind === 'json' ? body.documented : undefined;
};

/**
 * Returns a reference to the body of a request. A body whose schema has no name is named after its
 * operation: `CreateCollectionRequest`.
 */
function requestBody(
  { id, body }: OperationSpec,
  components: Components,
): { readonly required: boolean; readonly content: Record<string, object> } | undefined {
  if (body.schema === null || body.mediaType === null) return undefined;
  const schema = toJsonSchema(documentedBody(body) ?? body.schema, 'input', components);
  const example = exampleOf(schema, components) ?? exampleOf(Object(z.globalRegistry.get(body.schema)), components);
  const description = `The body of \`${id}\`.`;
  const name = nameIn(schema);
  const known = name === undefined ? undefined : components.get(name);
  if (name !== undefined && known !== undefined) components.set(name, { description, ...known });
  const named =
    name === undefined ? addComponent(components, `${pascalCase(id)}Request`, { description, ...schema }) : schema;
  const content = { [body.mediaType]: { schema: named, ...(example === undefined ? {} : { example }) } };
  return { required: body.required, content };
}

/** The name of a response: after its data, with the kind of list. */
function envelopeName(id: string, data: JsonSchema, paged: boolean): string {
  const isList = data.type === 'array';
  const name = nameIn(isList ? Object(data.items) : data);
  if (name === undefined) throw new TypeError(`${id}: give the schema of its data a name with meta({ id }).`);
  if (paged) return `${name}Page`;
  return `${name}${isList ? 'List' : ''}Response`;
}

/** Describes the envelope around the data of a response. */
function envelope(operation: OperationSpec, components: Components): object {
  const { data, paged = false } = operation.response ?? {};
  if (data === undefined) throw new TypeError(`${operation.id} has no response schema`);
  const schema = toJsonSchema(data, 'output', components);
  const meta = refTo(paged ? 'PageMeta' : 'Meta');
  const item = schema.type === 'array' ? exampleOf(Object(schema.items), components) : undefined;
  const example = item === undefined ? exampleOf(schema, components) : [item];
  const body = addComponent(components, envelopeName(operation.id, schema, paged), {
    type: 'object',
    description: paged ? 'One page of results.' : 'A successful response.',
    required: ['data', 'meta'],
    properties: { data: describedData(schema), meta },
  });
  const withExample = example === undefined ? {} : { example: { data: example, meta: exampleOf(meta, components) } };
  return { content: { 'application/json': { schema: body, ...withExample } } };
}

const describedData = (schema: JsonSchema): JsonSchema =>
  '$ref' in schema || 'description' in schema ? schema : { ...schema, description: 'The result.' };

/** Describes JSON Lines. The schema is that of one line. */
const linesResponse = ({ item }: LinesSpec, components: Components): object => ({
  content: { 'application/x-ndjson': { schema: toJsonSchema(item, 'output', components) } },
});

function success(operation: OperationSpec, components: Components, links: Links): object {
  const description = STATUS_CODES[operation.success] ?? 'Success';
  const headers = successHeaders(operation);
  if (operation.lines !== undefined) return { description, headers, ...linesResponse(operation.lines, components) };
  if (operation.stream === undefined) return { description, headers, ...envelope(operation, components), ...links };
  return { description, headers, ...streamResponse(operation.id, operation.stream, components) };
}

function otherSuccess(operation: OperationSpec, components: Components, links: Links): object {
  if (operation.otherSuccess === undefined) return {};
  const { status, description } = operation.otherSuccess;
  return {
    [status]: { description, headers: successHeaders(operation), ...envelope(operation, components), ...links },
  };
}

/** Returns the description with the role and the right that a caller needs. */
function descriptionOf({ id, access, isForPeople, description }: OperationSpec): string {
  if (access === 'open') return description;
  if (isForPeople === true)
    return `${description}\n\nFor every signed-in person. Keys and user tokens have no account.`;
  const { role, right, userToken, wholeKey } = accessOf(id);
  const ofKey = right === null ? 'none' : `\`${right}\`${wholeKey ? ', and all others, without `allowed_ips`' : ''}`;
  const tokenRight = tokenRightOf(accessOf(id));
  const ofToken = tokenRight === null ? 'yes' : `with the right \`${tokenRight}\``;
  const facts = [
    `Least role of a signed-in person: ${role ?? 'none, a key is required'}.`,
    `Right of a secret key: ${ofKey}.`,
    `User tokens: ${userToken ? ofToken : 'no'}.`,
  ];
  return `${description}\n\n${facts.join(' ')}`;
}

/** The same for programs. */
const extensionOf = ({ id, access }: OperationSpec) => (access === 'open' ? {} : { 'x-lectern-access': accessOf(id) });

/** The values of the examples. */
function exampleRequest(
  inPath: readonly object[],
  inQuery: readonly object[],
  body: { readonly content: Readonly<Record<string, object>> } | undefined,
): ExampleRequest {
  const named = (parameters: readonly object[]) =>
    parameters.map((one) => Object(one)).map(({ name, required, example }) => ({ name, required, example }));
  return {
    path: Object.fromEntries(named(inPath).map(({ name, example }) => [name, String(example ?? '…')])),
    query: Object.fromEntries(
      named(inQuery).flatMap(({ name, required, example }) => {
        if (!required) return [];
        if (example === undefined) throw new TypeError(`Give the parameter ${name} an example.`);
        return [[name, example]];
      }),
    ),
    body: Object(body?.content['application/json']).example,
  };
}

/** Describes an operation in OpenAPI. Adds schemas with an id to the components. */
export function describeOperation(operation: OperationSpec, components: Components, links: Links): object {
  const body = requestBody(operation, components);
  const inPath = parametersIn('path', operation.params, components);
  const inQuery = parametersIn('query', operation.query, components);
  const samples = codeSamples(operation, exampleRequest(inPath, inQuery, body));
  const redirect = { '302': { description: 'Found: the browser is redirected.', headers: redirectHeaders() } };
  return {
    operationId: operation.id,
    tags: [tagOf(operation.path)],
    summary: operation.summary,
    description: descriptionOf(operation),
    security: securityOf(operation),
    ...extensionOf(operation),
    parameters: [...inPath, ...inQuery, ...headerParameters(operation)],
    ...(body === undefined ? {} : { requestBody: body }),
    responses: {
      [operation.success]: success(operation, components, links),
      ...otherSuccess(operation, components, links),
      ...(operation.redirects === true ? redirect : {}),
      ...notModified(operation),
      ...errorResponses(operation),
    },
    ...(samples.length === 0 ? {} : { 'x-codeSamples': samples }),
  };
}
