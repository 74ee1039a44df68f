import pg from 'pg';
import type { Column, Relation } from '#postgresql/relations';

const quote = pg.escapeIdentifier;
const ROW = quote('lectern row');

const TEXT = /^(.+\.)?(text|character|character varying|citext|name|bpchar|varchar)\b/i;
const TIME = /^(timestamp|date)\b/i;
const TITLES = ['title', 'name', 'subject', 'headline', 'display_name', 'full_name', 'label'];
const AUTHORS = ['author', 'author_name', 'created_by', 'owner'];
const TIMES = ['updated_at', 'modified_at', 'last_modified', 'updated', 'modified', 'created_at'];

const pick = (columns: readonly Column[], names: readonly string[], type: RegExp): string | undefined =>
  names
    .map((name) => columns.find((column) => column.name.toLowerCase() === name && type.test(column.type))?.name)
    .find((name) => name !== undefined);

// Computed by the server, so that a listing transfers only hashes and titles. Changes with any
// column.
const HASH = `encode(sha256(convert_to((${ROW}.*)::text, 'UTF8')), 'hex')`;

/** Builds the columns of a listing: version, size, key, title, author and time. */
function facts({ columns, key }: Relation): string {
  const text = (name: string | undefined) => (name === undefined ? 'NULL' : `left(${ROW}.${quote(name)}::text, 500)`);
  const keys = key.length === 0 ? [HASH] : key.map((name) => `${ROW}.${quote(name)}::text`);
  return [
    `${HASH} AS version`,
    `octet_length((${ROW}.*)::text) AS size`,
    `ARRAY[${keys.join(', ')}] AS key`,
    `${text(pick(columns, TITLES, TEXT))} AS title`,
    `${text(pick(columns, AUTHORS, TEXT))} AS author`,
    `${text(pick(columns, TIMES, TIME))} AS updated`,
  ].join(', ');
}

const from = ({ schema, name }: Relation) => `FROM ${quote(schema)}.${quote(name)} AS ${ROW}`;

const parameters = ({ columns, key }: Relation): string =>
  key.map((name, at) => `$${at + 1}::${columns.find((column) => column.name === name)?.type ?? 'text'}`).join(', ');

const keyColumns = ({ key }: Relation): string => key.map((name) => `${ROW}.${quote(name)}`).join(', ');

/**
 * Builds the query for all rows in key order; with `after`, for those after the key in the
 * parameters.
 */
export function listQuery(relation: Relation, after: boolean): string {
  const order = relation.key.length === 0 ? '' : ` ORDER BY ${keyColumns(relation)}`;
  const where = after ? ` WHERE (${keyColumns(relation)}) > (${parameters(relation)})` : '';
  return `SELECT ${facts(relation)} ${from(relation)}${where}${order}`;
}

/** Builds the expression for the digest that `rowId` uses if a key is too long for an id. */
function digestOf({ key }: Relation): string {
  const values = key.map((name) => `replace(replace(${ROW}.${quote(name)}::text, '%', '%25'), ',', '%2C')`);
  return `encode(sha256(convert_to(concat_ws(',', ${values.join(', ')}), 'UTF8')), 'hex')`;
}

/** Finds a row by the values of its key, or by their digest. */
type By = 'key' | 'digest';

const whereKey = (relation: Relation, by: By): string => {
  if (by === 'digest' && relation.key.length > 0) return `${digestOf(relation)} = $1`;
  return relation.key.length === 0 ? `${HASH} = $1` : `(${keyColumns(relation)}) = (${parameters(relation)})`;
};

/** Builds the query for the facts of the row with the key in the parameters. */
export const findQuery = (relation: Relation, by: By): string =>
  `SELECT ${facts(relation)} ${from(relation)} WHERE ${whereKey(relation, by)} LIMIT 1`;

/** Like `findQuery`, plus `values`: all columns as text in the order of the table. */
export function readQuery(relation: Relation, by: By): string {
  const values = relation.columns.map(({ name }) => `${ROW}.${quote(name)}::text`).join(', ');
  return `SELECT ${facts(relation)}, ARRAY[${values}]::text[] AS values ${from(relation)} WHERE ${whereKey(relation, by)} LIMIT 1`;
}
