import type { Operation, OperationParameter } from '#tool-servers/openapi/operation';

/** Arguments that cannot be sent, with the reason for the model. */
export class ArgumentProblem extends Error {
  override readonly name = 'ArgumentProblem';
}

/** An HTTP request of a tool. */
export interface BuiltRequest {
  readonly url: URL;
  readonly method: Operation['method'];
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts a scalar to text. */
function scalar({ argument }: OperationParameter, value: unknown): string {
  if (typeof value === 'object' && value !== null) throw new ArgumentProblem(`${argument} is nested too deeply`);
  const text = value === null ? '' : String(value);
  if (/[\p{Cc}]/u.test(text)) throw new ArgumentProblem(`${argument} contains control characters`);
  return text.toWellFormed();
}

/** The values of `style: simple`, each encoded by `encode`. */
function simple(parameter: OperationParameter, value: unknown, encode: (text: string) => string): string {
  const one = (item: unknown) => encode(scalar(parameter, item));
  if (Array.isArray(value)) return value.map(one).join(',');
  if (!isObject(value)) return one(value);
  const join = parameter.explode ? '=' : ',';
  return Object.entries(value)
    .map(([name, field]) => `${encode(name)}${join}${one(field)}`)
    .join(',');
}

function pathPart(parameter: OperationParameter, value: unknown): string {
  const text =
    parameter.style === 'json'
      ? encodeURIComponent(JSON.stringify(value))
      : simple(parameter, value, encodeURIComponent);
  // The URL parser would resolve them, so that another path is called.
  if (/^\.{0,2}$/.test(text)) throw new ArgumentProblem(`${parameter.argument} must not be empty or consist of dots`);
  return text;
}

const SEPARATORS = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' } as const;

function addQuery(query: URLSearchParams, parameter: OperationParameter, value: unknown): void {
  const { name, style, explode } = parameter;
  if (style === 'json') {
    query.append(name, JSON.stringify(value));
    return;
  }
  if (style === 'deepObject') {
    if (!isObject(value)) throw new ArgumentProblem(`${parameter.argument} must be an object`);
    for (const [key, field] of Object.entries(value)) query.append(`${name}[${key}]`, scalar(parameter, field));
    return;
  }
  const separator = style === 'simple' ? ',' : SEPARATORS[style];
  if (Array.isArray(value)) {
    const texts = value.map((item) => scalar(parameter, item));
    if (explode) for (const text of texts) query.append(name, text);
    else query.append(name, texts.join(separator));
    return;
  }
  if (!isObject(value)) {
    query.append(name, scalar(parameter, value));
    return;
  }
  const fields = Object.entries(value).map(([key, field]) => [key, scalar(parameter, field)] as const);
  if (explode) for (const [key, text] of fields) query.append(key, text);
  else query.append(name, fields.flat().join(separator));
}

function formBody(value: unknown): string {
  if (!isObject(value)) throw new ArgumentProblem('body must be an object');
  const fields = new URLSearchParams();
  for (const [name, field] of Object.entries(value)) {
    for (const item of Array.isArray(field) ? field : [field]) {
      fields.append(name, typeof item === 'object' && item !== null ? JSON.stringify(item) : String(item ?? ''));
    }
  }
  return fields.toString();
}

/**
 * Builds the request of an operation below a server's address. Arguments cannot change the host or
 * leave the path of the operation. Throws `ArgumentProblem`.
 */
export function buildRequest(
  base: string,
  { method, path, parameters, body }: Operation,
  input: Readonly<Record<string, unknown>>,
): BuiltRequest {
  const given = (parameter: OperationParameter) =>
    Object.hasOwn(input, parameter.argument) ? input[parameter.argument] : undefined;
  const inPath = new Map(parameters.filter((one) => one.in === 'path').map((one) => [one.name, one]));
  const filled = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const parameter = inPath.get(name);
    const value = parameter === undefined ? undefined : given(parameter);
    if (parameter === undefined || value === undefined) throw new ArgumentProblem(`${name} is required`);
    return pathPart(parameter, value);
  });
  const root = new URL(base);
  const url = new URL(root.href.replace(/\/$/, '') + filled);
  const isBelow = url.pathname.startsWith(`${root.pathname.replace(/\/$/, '')}/`);
  if (url.origin !== root.origin || url.hash !== '' || !isBelow) throw new ArgumentProblem('the path is invalid');
  const headers: Record<string, string> = { accept: 'application/json, text/*;q=0.9, */*;q=0.1' };
  for (const parameter of parameters) {
    const value = given(parameter);
    if (value === undefined || parameter.in === 'path') continue;
    if (parameter.in === 'query') addQuery(url.searchParams, parameter, value);
    else headers[parameter.name.toLowerCase()] = headerText(parameter, value);
  }
  if (body === undefined || !Object.hasOwn(input, 'body')) return { url, method, headers, body: undefined };
  const text = body.form ? formBody(input.body) : JSON.stringify(input.body);
  return { url, method, headers: { ...headers, 'content-type': body.mediaType }, body: text };
}

function headerText(parameter: OperationParameter, value: unknown): string {
  const text = parameter.style === 'json' ? JSON.stringify(value) : simple(parameter, value, (one) => one);
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
    throw new ArgumentProblem(`${parameter.argument} contains characters that a header cannot have`);
  }
  return text;
}
