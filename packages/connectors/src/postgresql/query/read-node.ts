import { cannotBeUsed, type Fields, nodeOf, stringOf } from '#postgresql/query/fields';
import { QueryError } from '#postgresql/query/query-error';

const CATALOG = 'pg_catalog';

export const isStar = (value: unknown): boolean => nodeOf(value).name === 'A_Star';

export const isSystemSchema = (schema: string): boolean => schema === 'information_schema' || /^pg_/.test(schema);

/**
 * Returns the name that PostgreSQL gives an output column (parse_target.c); undefined if uncertain.
 */
export function outputName(value: unknown): string | undefined {
  const { name, fields } = nodeOf(value);
  if (name === 'ColumnRef') {
    const last = fields.list('fields').at(-1);
    return last === undefined || nodeOf(last).name !== 'String' ? undefined : stringOf(last);
  }
  if (name === 'FuncCall') return fields.names('funcname').at(-1);
  if (name === 'TypeCast' || name === 'CollateClause') {
    const arg = fields.child('arg');
    return ['ColumnRef', 'FuncCall', 'TypeCast', 'CollateClause'].includes(nodeOf(arg).name)
      ? outputName(arg)
      : undefined;
  }
  return name === 'CoalesceExpr' ? 'coalesce' : undefined;
}

export function locationOf(value: unknown): number {
  const at = Object.values(value as Record<string, { location?: unknown }>)[0]?.location;
  // The parser omits a location of 0.
  return typeof at === 'number' ? at : 0;
}

/** Returns the items of a bare or named list. */
export function listItems(value: unknown): readonly unknown[] {
  const { name, fields } = nodeOf(value);
  if (name !== 'List') throw cannotBeUsed(name);
  const items = fields.list('items');
  fields.end();
  return items;
}

export function readAlias(alias: Fields | undefined): {
  readonly alias: string | undefined;
  readonly colnames: readonly string[];
} {
  if (alias === undefined) return { alias: undefined, colnames: [] };
  const name = alias.text('aliasname');
  const colnames = alias.names('colnames');
  alias.end();
  return { alias: name, colnames };
}

export function readConstant(fields: Fields): void {
  for (const [key, read] of [
    ['ival', (value: Fields) => value.int('ival')],
    ['fval', (value: Fields) => value.text('fval')],
    ['sval', (value: Fields) => value.text('sval')],
    ['bsval', (value: Fields) => value.text('bsval')],
    ['boolval', (value: Fields) => value.flag('boolval')],
  ] as const) {
    const value = fields.struct(key);
    if (value === undefined) continue;
    read(value);
    value.end();
  }
  fields.flag('isnull');
}

/**
 * Returns the last part of a name without a schema, or with the schema pg_catalog. Throws
 * `QueryError` for other schemas.
 */
export function unqualified(names: readonly string[], what: string): string {
  const [last = ''] = names.slice(-1);
  if (names.length > 2 || (names.length === 2 && names[0] !== CATALOG)) {
    throw new QueryError(`The ${what} ${names.join('.')} cannot be used: only those built into PostgreSQL can.`);
  }
  return last;
}
