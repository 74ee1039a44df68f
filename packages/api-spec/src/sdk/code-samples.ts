import { z } from 'zod';
import type { OperationSpec } from '#operation';
import { pythonName } from '#sdk/python-name';
import { SDK_RESOURCES, type SdkResource } from '#sdk/resources';

/** A sample of the OpenAPI extension `x-codeSamples`. */
export interface CodeSample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** The example values of a request. */
export interface ExampleRequest {
  /** The values in the path by name. */
  readonly path: Readonly<Record<string, string>>;
  /** The required parameters in the query. */
  readonly query: Readonly<Record<string, unknown>>;
  /** Undefined for a request without a body. */
  readonly body: unknown;
}

/** How a method returns what its operation returns. */
type ResultKind = 'value' | 'items' | 'events';

/** The method of each operation, as a path of names: `['conversations', 'update']`. */
const METHODS: ReadonlyMap<string, readonly string[]> = new Map(methodsOf(SDK_RESOURCES, []));

function methodsOf(
  resources: Readonly<Record<string, SdkResource>>,
  parents: readonly string[],
): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(resources).flatMap(([name, { methods, nested = {} }]) => {
    const place = [...parents, name];
    return [
      ...Object.entries(methods).map(([method, id]) => [id, [...place, method]] as const),
      ...methodsOf(nested, place),
    ];
  });
}

/**
 * Returns a call of an operation with curl and with each SDK that has it. Empty for an upload, whose files
 * are not JSON, and for what only the session of a person can do.
 */
export function codeSamples(operation: OperationSpec, request: ExampleRequest): readonly CodeSample[] {
  const { body, isForPeople } = operation;
  const { mediaType } = body;
  // Only pages of this installation have the session of a person.
  if (isForPeople === true) return [];
  if (mediaType !== null && mediaType !== 'application/json') return [];
  const curl = { lang: 'shell', label: 'curl', source: curlSample(operation, request) };
  const method = METHODS.get(operation.id);
  if (method === undefined) return [curl];
  const kind = kindOf(operation);
  return [
    curl,
    { lang: 'typescript', label: 'TypeScript', source: typeScriptSample(operation.id, method, request, kind) },
    { lang: 'python', label: 'Python', source: pythonSample(method, request, kind, operation.body.kind === 'items') },
  ];
}

function kindOf({ stream, lines, response }: OperationSpec): ResultKind {
  if (stream !== undefined) return 'events';
  const isList = response?.paged === true && response.data instanceof z.ZodArray;
  return lines !== undefined || isList ? 'items' : 'value';
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curlSample(
  { method, path, access, stream, isForOwnPages }: OperationSpec,
  { path: ids, query, body }: ExampleRequest,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name) => encodeURIComponent(ids[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const url = `http://localhost:8080${filled}${search === '' ? '' : `?${search}`}`;
  const options = [
    ...(method === 'get' ? [] : [`-X ${method.toUpperCase()}`]),
    ...(stream === undefined ? [] : ['-N']),
  ];
  return [
    ['curl', ...options, quoted(url)].join(' '),
    ...(access === 'open' ? [] : ["-H 'X-Service-Key: lectern_sk_…'"]),
    ...(isForOwnPages === true && method !== 'get' ? ["-H 'X-Lectern-CSRF: 1'"] : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** The ids that methods of the SDKs take. They fill in the team. */
const idsOf = ({ path }: ExampleRequest): readonly string[] =>
  Object.entries(path).flatMap(([name, value]) => (name === 'teamId' ? [] : [value]));

/** The arguments of methods of the TypeScript SDK that differ from the ids, the body and the query. */
const ARGUMENTS: Readonly<Record<string, (request: ExampleRequest) => readonly unknown[]>> = {
  setModelPrices: ({ body }) => [Object(body).prices],
  createDocuments: (request) => [...idsOf(request), Object(request.body).documents],
  deleteFiles: (request) => [...idsOf(request), Object(request.body).files],
  pushItems: (request) => [...idsOf(request), Object(request.body).items],
  decideApproval: ({ path: { id, runId, approvalId }, body }) => [{ agentId: id, runId, approvalId }, body],
};

function argumentsOf(request: ExampleRequest): readonly unknown[] {
  const { query, body } = request;
  return [
    ...idsOf(request),
    ...(body === undefined ? [] : [body]),
    ...(Object.keys(query).length === 0 ? [] : [query]),
  ];
}

function typeScriptSample(id: string, method: readonly string[], request: ExampleRequest, kind: ResultKind): string {
  const values = (ARGUMENTS[id] ?? argumentsOf)(request);
  const call = `lectern.${method.join('.')}(${values.map((value) => typeScriptValue(value, '')).join(', ')})`;
  return [
    "import { Lectern } from '@lectern/sdk';",
    '',
    "const lectern = new Lectern({ baseUrl: 'http://localhost:8080', key: 'lectern_sk_…' });",
    ...{
      value: [`const result = await ${call};`, 'console.log(result);'],
      items: [`for await (const item of ${call}) console.log(item);`],
      events: [`for await (const { event, data } of ${call}) {`, '  console.log(event, data);', '}'],
    }[kind],
  ].join('\n');
}

/** With `isWhole`, the body is one argument: it can also be a list. */
function pythonSample(method: readonly string[], request: ExampleRequest, kind: ResultKind, isWhole: boolean): string {
  const { query, body } = request;
  const named = Object.entries({ ...(isWhole ? {} : Object(body)), ...query });
  const values = [
    ...[...idsOf(request), ...(isWhole ? [body] : [])].map((value) => pythonValue(value, INDENT)),
    ...named.map(([name, value]) => `${pythonName(name)}=${pythonValue(value, INDENT)}`),
  ];
  const short = values.join(', ');
  const isShort = short.length <= MAX_LINE && !short.includes('\n');
  const list = isShort ? short : `\n${values.map((value) => `${INDENT}${value},\n`).join('')}`;
  const call = `lectern.${method.map(pythonName).join('.')}(${list})`;
  return [
    'from lectern_sdk import Lectern',
    '',
    'lectern = Lectern("http://localhost:8080", "lectern_sk_…")',
    ...{
      value: [`result = ${call}`, 'print(result)'],
      items: [`for item in ${call}:`, `${INDENT}print(item)`],
      events: [
        `with ${call} as stream:`,
        `${INDENT}for event in stream:`,
        `${INDENT}${INDENT}print(event["event"], event["data"])`,
      ],
    }[kind],
  ].join('\n');
}

const INDENT = '    ';
const MAX_LINE = 60;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** How a language writes values. */
interface Notation {
  readonly step: string;
  text(value: string): string;
  key(name: string): string;
  /** Other values than texts, lists and objects. */
  constant(value: unknown): string;
  /** What is between the braces and the fields on one line. */
  readonly padding: string;
}

const TYPE_SCRIPT: Notation = {
  step: '  ',
  text: (value) => `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  key: (name) => (IDENTIFIER.test(name) ? name : TYPE_SCRIPT.text(name)),
  constant: String,
  padding: ' ',
};

const PYTHON: Notation = {
  step: INDENT,
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  constant: (value) => (value === null ? 'None' : value === true ? 'True' : value === false ? 'False' : String(value)),
  padding: '',
};

const typeScriptValue = (value: unknown, indent: string) => valueText(value, indent, TYPE_SCRIPT);
const pythonValue = (value: unknown, indent: string) => valueText(value, indent, PYTHON);

/** Writes a JSON value on one line, or each part on its own line if it is long. */
function valueText(value: unknown, indent: string, notation: Notation): string {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value !== 'object' || value === null) return notation.constant(value);
  const deeper = `${indent}${notation.step}`;
  const [open, close, padding] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', notation.padding];
  const parts = Array.isArray(value)
    ? value.map((item) => valueText(item, deeper, notation))
    : Object.entries(value).map(([name, item]) => `${notation.key(name)}: ${valueText(item, deeper, notation)}`);
  if (parts.length === 0) return `${open}${close}`;
  const short = `${open}${padding}${parts.join(', ')}${padding}${close}`;
  if (short.length <= MAX_LINE && !short.includes('\n')) return short;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`;
}
