import { upgradeFromThreeToThreeOne } from '@scalar/openapi-upgrader/3.0-to-3.1';
import { parse as parseYaml } from 'yaml';
import { jsonDepth } from '#tool-servers/json-size';
import { SERVER_LIMITS } from '#tool-servers/limits';
import { isVisible, type ListedTool, type Listing, toListedTool, visibleText } from '#tool-servers/listed-tool';
import type { Operation, OperationParameter } from '#tool-servers/openapi/operation';
import { createSchemaBundle, DocumentProblem, isRecord, resolve } from '#tool-servers/openapi/references';

type Json = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
const DOCUMENT_DEPTH = 100;
/** YAML aliases in one document: more expand it without bound. */
const MAX_ALIASES = 100;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Headers that the client sets, or that a model must not. */
const CLIENT_HEADERS =
  /^(?:accept|authorization|connection|content-.*|cookie|expect|host|proxy-.*|te|trailer|transfer-encoding|upgrade|x-forwarded-.*|forwarded)$/i;

/** Reads an OpenAPI document as JSON or YAML. Throws `DocumentProblem`. */
function readDocument(text: string): Json {
  let document: unknown;
  try {
    document = /^\s*\{/.test(text) ? JSON.parse(text) : parseYaml(text, { maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new DocumentProblem('The document is neither valid JSON nor valid YAML.', { cause: error });
  }
  if (!isRecord(document)) throw new DocumentProblem('The document is not an object.');
  if (jsonDepth(document, DOCUMENT_DEPTH) > DOCUMENT_DEPTH) {
    throw new DocumentProblem(`The document is nested more than ${DOCUMENT_DEPTH} levels deep.`);
  }
  const { openapi } = document;
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi)) {
    throw new DocumentProblem('The document is not OpenAPI 3.0 or 3.1: check the field `openapi`.');
  }
  if (!isRecord(document.paths)) throw new DocumentProblem('The document has no `paths`.');
  // The schemas of 3.0 are not JSON Schema: `nullable`, `exclusiveMinimum`.
  const upgraded: unknown = upgradeFromThreeToThreeOne(structuredClone(document));
  return isRecord(upgraded) ? upgraded : document;
}

/**
 * Converts the operations of an OpenAPI document to tools. References are resolved within the
 * document only. Operations that cannot be called are left out, with a note. Throws
 * `DocumentProblem` for a document that is not OpenAPI.
 */
export function parseOpenApi(text: string): Listing {
  const document = readDocument(text);
  const tools = new Map<string, ListedTool>();
  const notes: string[] = [];
  const paths = isRecord(document.paths) ? document.paths : {};
  for (const [path, item] of Object.entries(paths)) {
    for (const method of METHODS) {
      if (tools.size >= SERVER_LIMITS.tools) break;
      const label = visibleText(`${method.toUpperCase()} ${path}`, SERVER_LIMITS.name);
      try {
        const shared = resolve(document, item);
        if (!Object.hasOwn(shared, method)) continue;
        const tool = toTool(document, { path, method, shared, operation: resolve(document, shared[method]) });
        if (tools.has(tool.name)) throw new DocumentProblem(`its operationId is not unique`);
        tools.set(tool.name, tool);
      } catch (error) {
        if (!(error instanceof DocumentProblem)) throw error;
        if (notes.length < SERVER_LIMITS.notes)
          notes.push(`${label} was left out: ${visibleText(error.message, SERVER_LIMITS.description)}.`);
      }
    }
  }
  if (tools.size >= SERVER_LIMITS.tools) notes.push(`Only the first ${tools.size} operations are used.`);
  return { tools: [...tools.values()], notes };
}

interface Found {
  readonly path: string;
  readonly method: (typeof METHODS)[number];
  readonly shared: Json;
  readonly operation: Json;
}

function toTool(document: Json, { path, method, shared, operation }: Found): ListedTool {
  checkPath(path);
  if (shared.servers !== undefined || operation.servers !== undefined) {
    throw new DocumentProblem('it has servers of its own');
  }
  const bundle = createSchemaBundle(document);
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const parameters = parametersOf(document, shared, operation).flatMap((parameter): OperationParameter[] => {
    const read = readParameter(parameter);
    if (read === undefined) return [];
    const argument = read.name in properties || read.name === 'body' ? `${read.in}_${read.name}` : read.name;
    if (argument in properties) throw new DocumentProblem(`the parameter ${read.name} occurs twice`);
    const schema = bundle.add(read.schema);
    const described = isRecord(schema) && read.description !== undefined && schema.description === undefined;
    properties[argument] = described ? { ...schema, description: read.description } : schema;
    if (read.required) required.push(argument);
    return [{ argument, name: read.name, in: read.in, style: read.style, explode: read.explode }];
  });
  for (const [, name = ''] of path.matchAll(/\{([^{}]*)\}/g)) {
    if (!parameters.some((parameter) => parameter.in === 'path' && parameter.name === name)) {
      throw new DocumentProblem(`it does not describe the path parameter ${name.slice(0, 100)}`);
    }
  }
  const body = operation.requestBody === undefined ? undefined : readBody(document, operation.requestBody);
  if (body !== undefined) {
    properties.body = bundle.add(body.schema);
    if (body.required) required.push('body');
  }
  const definitions = bundle.definitions;
  const inputSchema = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: { ...definitions } }),
  };
  const request: Operation = {
    method: METHOD_NAMES[method],
    path,
    parameters,
    ...(body === undefined ? {} : { body: { mediaType: body.mediaType, form: body.form } }),
  };
  const texts = [operation.summary, operation.description].filter((one): one is string => typeof one === 'string');
  const description = [...new Set(texts)].join('\n\n') || `${request.method} ${path}`;
  const name = toolName(operation.operationId, request.method, path);
  const changes = method !== 'get' && method !== 'head';
  return toListedTool({ name, description, inputSchema, operation: request, changes });
}

/** A URL parser resolves these segments, so that another path would be called. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/** Throws for a path that is not a plain template below the server's address. */
function checkPath(path: string): void {
  if (!path.startsWith('/')) throw new DocumentProblem('its path does not begin with /');
  if (path.length > SERVER_LIMITS.path) throw new DocumentProblem('its path is too long');
  if (!isVisible(path) || /[\\?#]/.test(path)) throw new DocumentProblem('its path contains invalid characters');
  if (path.split('/').some((segment) => DOTS.test(segment))) throw new DocumentProblem('its path contains dots');
}

const METHOD_NAMES = {
  get: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
} as const;

function toolName(operationId: unknown, method: string, path: string): string {
  const name = typeof operationId === 'string' && operationId !== '' ? operationId : `${method} ${path}`;
  if (name.length > SERVER_LIMITS.name) throw new DocumentProblem('its name is too long');
  if (!isVisible(name)) throw new DocumentProblem('its name contains invisible characters');
  return name;
}

/** The parameters of the path and the operation. Those of the operation replace equal ones. */
function parametersOf(document: Json, shared: Json, operation: Json): readonly Json[] {
  const byPlace = new Map<string, Json>();
  for (const list of [shared.parameters, operation.parameters]) {
    if (!Array.isArray(list)) continue;
    for (const item of list) {
      const parameter = resolve(document, item);
      byPlace.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter);
    }
  }
  return [...byPlace.values()];
}

interface ReadParameter extends Omit<OperationParameter, 'argument'> {
  readonly schema: unknown;
  readonly required: boolean;
  readonly description: string | undefined;
}

const STYLES = {
  path: ['simple'],
  header: ['simple'],
  query: ['form', 'deepObject', 'spaceDelimited', 'pipeDelimited'],
} as const;

/** Returns undefined for an optional parameter that a model must not set. */
function readParameter(parameter: Json): ReadParameter | undefined {
  const { name, in: place, description, required, content } = parameter;
  if (typeof name !== 'string' || name === '') throw new DocumentProblem('a parameter has no name');
  if (!isVisible(name)) throw new DocumentProblem('the name of a parameter contains invisible characters');
  if (place === 'header' && !HEADER_NAME.test(name)) throw new DocumentProblem('a header has an invalid name');
  const isRequired = required === true || place === 'path';
  if (place === 'cookie' || (place === 'header' && CLIENT_HEADERS.test(name))) {
    if (isRequired && place === 'cookie') throw new DocumentProblem(`it needs the cookie ${name.slice(0, 100)}`);
    return undefined;
  }
  if (place !== 'path' && place !== 'query' && place !== 'header') {
    throw new DocumentProblem(`the place of the parameter ${name.slice(0, 100)} is unknown`);
  }
  const text = typeof description === 'string' ? description : undefined;
  const common = { name, in: place, required: isRequired, description: text } as const;
  if (isRecord(content)) {
    const media = content['application/json'];
    if (!isRecord(media)) throw new DocumentProblem(`the format of the parameter ${name.slice(0, 100)} is unsupported`);
    return { ...common, style: 'json', explode: false, schema: media.schema ?? {} };
  }
  const known: readonly string[] = STYLES[place];
  const style = parameter.style ?? known[0];
  if (!isStyle(style) || !known.includes(style)) {
    throw new DocumentProblem(`the style of the parameter ${name.slice(0, 100)} is unsupported`);
  }
  const explode = typeof parameter.explode === 'boolean' ? parameter.explode : style === 'form';
  return { ...common, style, explode, schema: parameter.schema ?? {} };
}

const isStyle = (style: unknown): style is OperationParameter['style'] =>
  Object.values(STYLES).some((styles) => styles.some((one) => one === style));

const FORM = 'application/x-www-form-urlencoded';

function readBody(document: Json, value: unknown) {
  const body = resolve(document, value);
  const content = isRecord(body.content) ? body.content : {};
  const types = Object.keys(content);
  const essence = (type: string) => type.split(';')[0]?.trim().toLowerCase() ?? '';
  const json = types.find((type) => /^application\/(?:[\w.+-]*\+)?json$/.test(essence(type)));
  const mediaType = json ?? types.find((type) => essence(type) === FORM);
  const media = mediaType === undefined ? undefined : content[mediaType];
  if (mediaType === undefined || !isRecord(media)) {
    if (body.required !== true) return undefined;
    throw new DocumentProblem(`its body is not JSON or a form (${types.join(', ').slice(0, 100)})`);
  }
  return {
    mediaType: essence(mediaType),
    form: json === undefined,
    schema: media.schema ?? {},
    required: body.required === true,
  };
}
