import type { Relation } from './relations.ts';

/** A row as an id names it. */
export interface RowName {
  readonly schema: string;
  readonly table: string;
  /** The values of the key's columns, or the hash of a row without a key. */
  readonly key: readonly string[];
}

const encodeName = (name: string) =>
  name.replace(/[%./]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
const encodeValue = (value: string) =>
  value.replace(/[%,]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
const decode = (text: string) =>
  text.replace(/%(25|2C|2E|2F)/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

const keyText = (key: readonly string[]) => key.map(encodeValue).join(',');

/** `schema.table.key`; the values of a key of several columns are joined by commas. */
export const rowId = ({ schema, table, key }: RowName): string =>
  `${encodeName(schema)}.${encodeName(table)}.${keyText(key)}`;

/** `schema.table/key`, which `file_filter` takes as well. */
export const rowPath = ({ schema, table, key }: RowName): string =>
  `${encodeName(schema)}.${encodeName(table)}/${keyText(key)}`;

/** The row that a text names: `schema.table.key`, `schema.table/key`, or `table/key` in the connector's schema. */
export function parseRowName(text: string, schema: string): RowName | undefined {
  const found =
    /^(?:(?<schema>[^./]+)\.)?(?<table>[^./]+)\/(?<key>.+)$/s.exec(text) ??
    /^(?<schema>[^./]+)\.(?<table>[^./]+)\.(?<key>.+)$/s.exec(text);
  const parts = found?.groups;
  if (parts?.table === undefined || parts.key === undefined) return undefined;
  return {
    schema: parts.schema === undefined ? schema : decode(parts.schema),
    table: decode(parts.table),
    key: parts.key.split(',').map(decode),
  };
}

export const nameOfRelation = ({ schema, name }: Pick<Relation, 'schema' | 'name'>): string => `${schema}.${name}`;
