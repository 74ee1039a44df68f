import { isIdentifier } from '#names';
import { isOpen, pythonType, type Spelling } from '#python-type';
import { type Operation, refName, type Schema, type Schemas } from '#schema';
import { docstring } from '#text';

const SPELLING: Spelling = { prefix: '', list: 'list', dict: 'dict' };

const isRecord = (schema: Schema): boolean =>
  schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0 && !isOpen(schema);

/** The description of a schema. Those of its fields are included if they are not declared. */
function descriptionOf(schema: Schema): string | undefined {
  const fields = isOpen(schema) ? Object.entries(schema.properties ?? {}) : [];
  const described = fields.map(([name, { description = '' }]) => `\`${name}\`: ${description}`);
  return described.length === 0 ? schema.description : [schema.description ?? '', ...described].join('\n\n');
}

/** A type in quotation marks: Python reads it only when somebody asks. */
const quoted = (type: string): string => `"${type.replaceAll('"', "'")}"`;

function field(schema: Schema, required: boolean): string {
  const type = pythonType(schema, SPELLING);
  return required ? type : `NotRequired[${type}]`;
}

function renderRecord(name: string, schema: Schema): readonly string[] {
  const fields = Object.entries(schema.properties ?? {});
  const isRequired = (key: string) => schema.required?.includes(key) ?? false;
  const description = schema.description === undefined ? [] : docstring([schema.description], '    ');
  if (fields.every(([key]) => isIdentifier(key))) {
    const lines = fields.flatMap(([key, value]) => [
      `    ${key}: ${field(value, isRequired(key))}`,
      ...(value.description === undefined ? [] : docstring([value.description], '    ')),
    ]);
    const separator = description.length > 0 && lines.length > 0 ? [''] : [];
    return [`class ${name}(TypedDict):`, ...description, ...separator, ...lines];
  }
  // Keywords can only be keys in this form.
  const lines = fields.map(
    ([key, value]) => `        ${JSON.stringify(key)}: ${quoted(field(value, isRequired(key)))},`,
  );
  return [
    `${name} = TypedDict(`,
    `    ${JSON.stringify(name)},`,
    '    {',
    ...lines,
    '    },',
    ')',
    ...(schema.description === undefined ? [] : docstring([schema.description], '')),
  ];
}

const WIDTH = 100;

function renderAlias(name: string, schema: Schema): readonly string[] {
  const type = pythonType(schema, SPELLING);
  const description = descriptionOf(schema);
  const line = `${name}: TypeAlias = ${type}`;
  const literals = /^Literal\[(.*)\]$/.exec(type)?.[1];
  const wrapped =
    literals === undefined
      ? [`${name}: TypeAlias = (`, `    ${type.split(' | ').join('\n    | ')}`, ')']
      : [`${name}: TypeAlias = Literal[`, ...literals.split(', ').map((value) => `    ${value},`), ']'];
  return [
    ...(line.length <= WIDTH ? [line] : wrapped),
    ...(description === undefined ? [] : docstring([description], '')),
  ];
}

/** Orders aliases so that each one comes after those that it uses. Classes are declared before all of them. */
function inOrder(aliases: ReadonlyMap<string, Schema>): readonly string[] {
  const ordered = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new TypeError(`The schema ${name} refers to itself.`);
    const used = pythonType(aliases.get(name) ?? {}, SPELLING).match(/\w+/g) ?? [];
    for (const other of used) if (aliases.has(other)) visit(other, [...path, name]);
    ordered.add(name);
  };
  for (const name of aliases.keys()) visit(name, []);
  return [...ordered];
}

/** The client raises the errors of a stream, so its events do not include them. */
function withoutErrors(schema: Schema): Schema {
  const { oneOf = [] } = schema;
  return { ...schema, oneOf: oneOf.filter((variant) => refName(variant) !== 'StreamErrorEvent') };
}

const streamEvents = (operations: readonly Operation[]): readonly string[] =>
  operations.flatMap(({ responses }) => {
    const schema = responses['200']?.content?.['text/event-stream']?.schema;
    return schema === undefined ? [] : [refName(schema) ?? ''];
  });

const HEADER = `"""The records of the API: the dictionaries that methods return, and those in their arguments.

Their keys are the names of the fields in the API. Generated from the OpenAPI document.
"""

from __future__ import annotations

import sys
from typing import Any, Literal, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypeAlias
else:
    from typing_extensions import NotRequired, TypeAlias
`;

/** Renders the module with the type of each schema, and the ids of all operations. */
export function renderTypes(schemas: Schemas, operations: readonly Operation[]): string {
  const events = streamEvents(operations);
  const ids = operations.map(({ operationId }) => `        ${JSON.stringify(operationId)},`);
  const shown = Object.entries(schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [name, events.includes(name) ? withoutErrors(schema) : schema] as const);
  const records = shown.filter(([, schema]) => isRecord(schema)).map(([name, schema]) => renderRecord(name, schema));
  const aliases = new Map(shown.filter(([, schema]) => !isRecord(schema)));
  const blocks = [...records, ...inOrder(aliases).map((name) => renderAlias(name, aliases.get(name) ?? {}))];
  const operationId = ['OperationId = Literal[', ...ids.map((id) => id.slice(4)), ']'].join('\n');
  return `${[HEADER, operationId, ...blocks.map((lines) => lines.join('\n'))].join('\n\n')}\n`;
}
