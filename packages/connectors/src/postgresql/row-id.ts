import { createHash } from 'node:crypto';
import type { Relation } from '#postgresql/relations';

/** The parts of a row id. */
export interface RowName {
  readonly schema: string;
  readonly table: string;
  /** The values of the key's columns, or the hash of a row without a key. */
  readonly key: readonly string[];
  /** Replaces a key that is too long for an id. */
  readonly digest?: string;
}

/**
 * Maximum UTF-8 bytes of a key in an id. PostgreSQL indexes ids, and index entries are limited in
 * size.
 */
const MAX_KEY_BYTES = 1_000;
// In an encoded key, two digits follow every percent sign.
const DIGEST = /^%sha256-(?<digest>[0-9a-f]{64})$/;

const encodeName = (name: string) =>
  name.replace(/[%./]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
const encodeValue = (value: string) =>
  value.replace(/[%,]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
const decode = (text: string) =>
  text.replace(/%(25|2C|2E|2F)/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

function keyText({ key, digest }: RowName): string {
  if (digest !== undefined) return `%sha256-${digest}`;
  const text = key.map(encodeValue).join(',');
  if (Buffer.byteLength(text) <= MAX_KEY_BYTES) return text;
  return `%sha256-${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Returns `schema.table.key`; commas join the values of a multi-column key. A single-column key can
 * be the empty string.
 */
export const rowId = (name: RowName): string => `${encodeName(name.schema)}.${encodeName(name.table)}.${keyText(name)}`;

/** Returns `schema.table/key`, which `file_filter` also accepts. */
export const rowPath = (name: RowName): string =>
  `${encodeName(name.schema)}.${encodeName(name.table)}/${keyText(name)}`;

/** Parses `schema.table.key`, `schema.table/key`, or `table/key` in the connector's schema. */
export function parseRowName(text: string, schema: string): RowName | undefined {
  const found =
    /^(?:(?<schema>[^./]+)\.)?(?<table>[^./]+)\/(?<key>.*)$/s.exec(text) ??
    /^(?<schema>[^./]+)\.(?<table>[^./]+)\.(?<key>.*)$/s.exec(text);
  const parts = found?.groups;
  if (parts?.table === undefined || parts.key === undefined) return undefined;
  const digest = DIGEST.exec(parts.key)?.groups?.digest;
  return {
    schema: parts.schema === undefined ? schema : decode(parts.schema),
    table: decode(parts.table),
    ...(digest === undefined ? { key: parts.key.split(',').map(decode) } : { key: [], digest }),
  };
}

export const nameOfRelation = ({ schema, name }: Pick<Relation, 'schema' | 'name'>): string => `${schema}.${name}`;
