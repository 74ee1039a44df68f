import { pythonName } from '@lectern/api-spec';
import { type Argument, bodyArguments, pathParameters, queryParameters } from '#arguments';
import { pythonType, type Spelling } from '#python-type';
import { type Operation, resolve, type Schema, type Schemas } from '#schema';
import { docstring } from '#text';

/** An operation with its place in the OpenAPI document. */
export interface Located {
  readonly path: string;
  readonly operation: Operation;
}

const SPELLING: Spelling = { prefix: 'types.', list: 'List', dict: 'Dict' };

/** Streams whose class has helpers. */
const STREAMS: Readonly<Record<string, string>> = {
  streamChat: 'AsyncReplyStream',
  streamRegenerate: 'AsyncReplyStream',
  executeAgent: 'AsyncRunStream',
};

/** How a method gets and returns what its operation returns. */
interface Result {
  readonly type: string;
  readonly callee: string;
  /** Arguments before the id of the operation. */
  readonly first: readonly string[];
  readonly isAwaited: boolean;
}

function resultOf(id: string, { responses }: Operation, schemas: Schemas): Result {
  const content = (responses['200'] ?? responses['201'] ?? responses['202'])?.content ?? {};
  const events = content['text/event-stream']?.schema;
  if (events !== undefined) {
    const type = STREAMS[id] ?? `AsyncEventStream[${pythonType(events, SPELLING)}]`;
    // The types are not imported when the program runs.
    return { type, callee: type.replace(/\[.*$/, ''), first: ['self._client'], isAwaited: false };
  }
  const line = content['application/x-ndjson']?.schema;
  if (line !== undefined) {
    const type = `AsyncGenerator[${pythonType(line, SPELLING)}, None]`;
    return { type, callee: 'self._client.lines', first: [], isAwaited: false };
  }
  const { data = {}, meta = {} } = resolve(content['application/json']?.schema ?? {}, schemas).properties ?? {};
  if (data.type === 'array' && isPage(meta, schemas)) {
    const type = `AsyncPaged[${pythonType(data.items ?? {}, SPELLING)}]`;
    return { type, callee: 'self._client.list', first: [], isAwaited: false };
  }
  return { type: pythonType(data, SPELLING), callee: 'self._client.call', first: [], isAwaited: true };
}

const isPage = (meta: Schema, schemas: Schemas): boolean => 'hasMore' in (resolve(meta, schemas).properties ?? {});

const signature = ({ name, type, required }: Argument): string =>
  required ? `${name}: ${type}` : `${name}: ${type} | NotGiven = NOT_GIVEN`;

const MAX_ENTRIES = 3;

/** Of the arguments of a call in a method. */
const INDENT = '            ';

function dictionary(fields: readonly Argument[], indent: string): string {
  const entries = fields.map(({ wire, name }) => `${JSON.stringify(wire)}: ${name}`);
  if (entries.length <= MAX_ENTRIES) return `{${entries.join(', ')}}`;
  return ['{', ...entries.map((entry) => `${indent}    ${entry},`), `${indent}}`].join('\n');
}

function given(fields: readonly Argument[], indent: string): string {
  if (fields.every(({ required }) => required)) return dictionary(fields, indent);
  if (fields.length <= MAX_ENTRIES) return `given(${dictionary(fields, indent)})`;
  return `given(\n${indent}    ${dictionary(fields, `${indent}    `)}\n${indent})`;
}

/** Renders the method of an operation. */
export function renderMethod(name: string, { path, operation }: Located, schemas: Schemas): readonly string[] {
  const id = operation.operationId ?? '';
  const inPath = pathParameters(path, operation);
  const inQuery = queryParameters(operation);
  const body = bodyArguments(operation, schemas);
  const { type, callee, first, isAwaited } = resultOf(id, operation, schemas);
  const keywords = [...inQuery, ...body.fields];
  const names = [...inPath, ...keywords].map((one) => one.name);
  if (new Set(names).size !== names.length) throw new TypeError(`Two arguments of ${id} have the same name.`);
  const parameters = [
    'self',
    ...inPath.map(signature),
    ...(body.whole === undefined ? [] : [`body: ${body.whole}`]),
    '*',
    ...keywords.map(signature),
    'options: CallOptions | None = None',
  ];
  const passed = [
    ...first,
    JSON.stringify(id),
    ...(inPath.length === 0 ? [] : [`path=${dictionary(inPath, INDENT)}`]),
    ...(inQuery.length === 0 ? [] : [`query=${given(inQuery, INDENT)}`]),
    ...(body.isSent ? [`body=${body.whole === undefined ? given(body.fields, INDENT) : 'body'}`] : []),
    'options=options',
  ];
  const described = [...inPath, ...keywords];
  const lines = passed.map((one) => `${INDENT}${one},`);
  return [
    `    ${isAwaited ? 'async ' : ''}def ${pythonName(name)}(`,
    ...parameters.map((parameter) => `        ${parameter},`),
    `    ) -> ${type}:`,
    ...docstring([`${operation.summary ?? id}.`, operation.description ?? ''], '        ', described),
    ...(isAwaited
      ? [`        result: ${type} = await ${callee}(`, ...lines, '        )', '        return result']
      : [`        return ${callee}(`, ...lines, '        )']),
  ];
}

/** Renders `search.all`, which yields the results of all pages. */
export function renderSearchAll({ operation }: Located, schemas: Schemas): readonly string[] {
  const { fields } = bodyArguments(operation, schemas);
  return [
    '    def all(',
    ...['self', '*', ...fields.map(signature), 'options: CallOptions | None = None'].map((one) => `        ${one},`),
    '    ) -> AsyncGenerator[types.SearchResult, None]:',
    ...docstring(['Yields all results, requesting pages as needed.'], '        ', fields),
    `        return self._client.search_all(${given(fields, '        ')}, options)`,
  ];
}
