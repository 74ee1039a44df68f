import { z } from 'zod';
import { linkedIds } from '#fields';
import { pascalCase } from '#openapi/components';
import type { OperationSpec } from '#operation';

/** The links of a response, by the operation that they lead to. Empty without links. */
export interface Links {
  readonly links?: Readonly<Record<string, object>>;
}

/** Expressions for ids by what they identify, for example `$response.body#/data/id` by `agent`. */
type Ids = ReadonlyMap<string, string>;

const kindOf = (schema: unknown): string | undefined =>
  schema instanceof z.ZodType ? linkedIds.get(schema)?.kind : undefined;

function idsIn(shape: Readonly<Record<string, unknown>>, expression: (name: string) => string): Ids {
  const found = Object.entries(shape).map(([name, schema]) => [kindOf(schema), expression(name)] as const);
  // The id of the record itself comes first.
  return new Map(found.toReversed().filter((entry): entry is readonly [string, string] => entry[0] !== undefined));
}

/** The ids in the data of a response. Of a list, those of its first item. */
function responseIds({ response }: OperationSpec): { readonly ids: Ids; readonly isList: boolean } {
  const data = response?.data;
  const isList = data instanceof z.ZodArray;
  const record = isList ? data.element : data;
  const at = isList ? '/data/0' : '/data';
  const ids = record instanceof z.ZodObject ? idsIn(record.shape, (name) => `$response.body#${at}/${name}`) : new Map();
  return { ids, isList };
}

/**
 * Returns the links of a successful response: to every operation whose path parameters are in the
 * response or in the path of the request. A list does not link to deletions.
 */
export function linksOf(operation: OperationSpec, operations: readonly OperationSpec[]): Links {
  if (operation.method === 'delete') return {};
  const { ids, isList } = responseIds(operation);
  const known: Ids = new Map([...idsIn(operation.params.shape, (name) => `$request.path.${name}`), ...ids]);
  const links = operations.flatMap((target) => {
    if (target === operation || (isList && target.method === 'delete')) return [];
    const params = Object.entries(target.params.shape).map(([name, schema]) => [name, kindOf(schema) ?? ''] as const);
    if (!params.some(([, kind]) => ids.has(kind)) || !params.every(([, kind]) => known.has(kind))) return [];
    const parameters = Object.fromEntries(params.map(([name, kind]) => [name, known.get(kind)]));
    const description = `${target.summary}, with ids of this response.`;
    return [[pascalCase(target.id), { operationId: target.id, description, parameters }]];
  });
  return links.length === 0 ? {} : { links: Object.fromEntries(links) };
}
