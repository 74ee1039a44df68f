import { z } from 'zod';
import type { DatabaseClient } from '#postgresql/open-database';
import { READABLE_TYPES, TRUSTED_EXTENSIONS } from '#postgresql/query/allowed';
import { type Columns, orderedColumns } from '#postgresql/query/columns';

export interface RelationName {
  readonly schema: string;
  readonly name: string;
}

export interface TypeName {
  readonly schema: string;
  readonly name: string;
}

export interface ExtensionMember {
  readonly kind: 'function' | 'operator';
  readonly schema: string;
  readonly name: string;
}

/** Resolves the names of a query in the database. */
export interface Catalog {
  columnsOf(relation: RelationName): Columns;
  /**
   * Returns the columns of a function in FROM: `scalar` for one column named like its alias;
   * undefined if uncertain.
   */
  functionColumns(name: string): 'scalar' | readonly string[] | undefined;
}

const RelationFacts = z.object({
  schema: z.string(),
  name: z.string(),
  kind: z.string(),
  /**
   * Part of an extension, or a partition: `describeTables` does not list it, and queries on it are
   * rejected.
   */
  hidden: z.boolean(),
  /** True if rows come from a foreign table, including through inheritance or partitions. */
  foreign: z.boolean(),
  columns: z.array(z.object({ name: z.string(), type: z.string() })),
  /** The type of a whole row; null if there is none. */
  rowType: z.string().nullable(),
  view: z.string().nullable(),
  /**
   * Expressions that PostgreSQL evaluates for each row it reads: policies, and virtual generated
   * columns.
   */
  expressions: z.array(z.object({ table: z.string(), text: z.string() })),
});
export type RelationFacts = z.infer<typeof RelationFacts>;

// The children of a table can be foreign, and can define a virtual column differently.
const RELATIONS = `
  SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind,
    c.relispartition OR EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') AS hidden,
    EXISTS (SELECT FROM pg_class f WHERE f.oid = ANY (family.oids) AND f.relkind = 'f') AS "foreign",
    (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', a.atttypid::text) ORDER BY a.attnum), '[]')
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
    nullif(c.reltype, 0)::text AS "rowType",
    CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END AS view,
    (SELECT coalesce(json_agg(json_build_object('table', e.relid::regclass::text, 'text', e.text)), '[]') FROM (
      SELECT p.polrelid AS relid, pg_get_expr(p.polqual, p.polrelid) AS text FROM pg_policy p
        WHERE p.polrelid = c.oid AND p.polqual IS NOT NULL AND p.polcmd IN ('*', 'r') AND (row_security_active(c.oid) OR $3 AND c.relrowsecurity)
      UNION ALL
      SELECT d.adrelid, pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute a
        JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE a.attrelid = ANY (family.oids) AND a.attgenerated = 'v' AND NOT a.attisdropped) e) AS expressions
  FROM unnest($1::text[], $2::text[]) AS wanted (schema, name)
  JOIN pg_namespace n ON n.nspname = wanted.schema
  JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name
  CROSS JOIN LATERAL (
    WITH RECURSIVE child (oid) AS (SELECT c.oid UNION SELECT i.inhrelid FROM pg_inherits i JOIN child ON i.inhparent = child.oid)
    SELECT array_agg(oid) AS oids FROM child) family`;

/**
 * Finds the existing relations with these names; `nested` is for those behind a view, because
 * their policies can be evaluated as the view's owner.
 */
export async function readRelationFacts(
  client: DatabaseClient,
  names: readonly RelationName[],
  nested: boolean,
): Promise<readonly RelationFacts[]> {
  const [schemas, relations] = [names.map(({ schema }) => schema), names.map(({ name }) => name)];
  const { rows } = await client.query(RELATIONS, [schemas, relations, nested]);
  return z.array(RelationFacts).parse(rows);
}

/** `FirstNormalObjectId`: objects with a smaller OID came with PostgreSQL. */
const FIRST_USER_OID = 16_384;

const TypeFacts = z.object({
  type: z.string(),
  /** The first type within it that can run foreign code; null if there is none. */
  untrusted: z.string().nullable(),
  /** The fields of a row type. */
  fields: z.array(z.string()).nullable(),
  /** The checks of domains within it, as expressions over VALUE. */
  checks: z.array(z.string()),
});
export type TypeFacts = z.infer<typeof TypeFacts>;

// C code that an extension brings for its own type counts as part of that type. Anything else that
// a cast or a default operator class would call does not.
const OF_EXTENSION = (
  classId: string,
  object: string,
) => `EXISTS (SELECT FROM pg_depend x JOIN pg_depend y ON y.refobjid = x.refobjid
  WHERE x.classid = 'pg_type'::regclass AND x.objid = t.oid AND x.deptype = 'e' AND x.refclassid = 'pg_extension'::regclass
    AND y.classid = '${classId}'::regclass AND y.objid = ${object} AND y.deptype = 'e' AND y.refclassid = 'pg_extension'::regclass)`;

const FOREIGN_CODE = `(
  EXISTS (SELECT FROM pg_cast k JOIN pg_proc f ON f.oid = k.castfunc JOIN pg_language l ON l.oid = f.prolang
    WHERE t.oid IN (k.castsource, k.casttarget) AND f.oid >= ${FIRST_USER_OID}
      AND NOT (l.lanname IN ('c', 'internal') AND ${OF_EXTENSION('pg_proc', 'f.oid')}))
  OR EXISTS (SELECT FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod
    WHERE o.opcintype = t.oid AND o.oid >= ${FIRST_USER_OID} AND m.amname IN ('btree', 'hash') AND NOT ${OF_EXTENSION('pg_opclass', 'o.oid')}))`;

const TYPES = `
  WITH RECURSIVE reached (root, oid) AS (
    SELECT w, w FROM unnest($1::oid[]) w
    UNION
    SELECT r.root, next.oid FROM reached r JOIN pg_type t ON t.oid = r.oid, LATERAL (
      SELECT t.typelem AS oid WHERE t.typelem <> 0
      UNION ALL SELECT t.typbasetype WHERE t.typbasetype <> 0
      UNION ALL SELECT a.atttypid FROM pg_attribute a
        WHERE a.attrelid = t.typrelid AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped) next)
  SELECT w::text AS type,
    (SELECT min(format_type(t.oid, NULL)) FROM reached r JOIN pg_type t ON t.oid = r.oid WHERE r.root = w AND NOT CASE
      WHEN t.oid < ${FIRST_USER_OID} THEN t.typname = ANY ($2) OR t.typelem <> 0 AND t.typlen = -1 AND t.typtype = 'b'
      WHEN t.typtype IN ('e', 'd', 'c') THEN NOT ${FOREIGN_CODE}
      WHEN t.typtype = 'b' AND t.typelem <> 0 AND t.typcategory = 'A' THEN NOT ${FOREIGN_CODE}
      WHEN t.typtype = 'b' THEN NOT ${FOREIGN_CODE} AND EXISTS (SELECT FROM pg_depend x
        WHERE x.classid = 'pg_type'::regclass AND x.objid = t.oid AND x.deptype = 'e')
      ELSE false END) AS untrusted,
    (SELECT json_agg(a.attname) FROM pg_type t JOIN pg_attribute a ON a.attrelid = t.typrelid
      WHERE t.oid = w AND t.typtype = 'c' AND a.attnum > 0 AND NOT a.attisdropped) AS fields,
    (SELECT coalesce(json_agg(pg_get_expr(k.conbin, 0)), '[]') FROM reached r JOIN pg_constraint k ON k.contypid = r.oid
      WHERE r.root = w AND k.contype = 'c') AS checks
  FROM unnest($1::oid[]) w`;

/** Finds what reading and comparing values of these types can run. */
export async function readTypeFacts(client: DatabaseClient, types: readonly string[]): Promise<readonly TypeFacts[]> {
  const { rows } = await client.query(TYPES, [types, [...READABLE_TYPES]]);
  return z.array(TypeFacts).parse(rows);
}

const Foreign = z.object({ what: z.string() });

// Built-in functions, operators and casts that someone changed or overloaded; only a superuser can.
const CHANGED = `
  SELECT 'The function ' || p.proname AS what FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
    WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = ANY ($1)
      AND (p.oid >= ${FIRST_USER_OID} OR l.lanname NOT IN ('internal', 'sql', 'c'))
  UNION ALL
  SELECT 'The operator ' || o.oprname FROM pg_operator o
    WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprname = ANY ($2) AND o.oid >= ${FIRST_USER_OID}
  UNION ALL
  SELECT 'A cast to ' || format_type(k.casttarget, NULL) FROM pg_cast k
    WHERE k.castfunc >= ${FIRST_USER_OID} AND k.castsource < ${FIRST_USER_OID} AND k.casttarget < ${FIRST_USER_OID}
  UNION ALL
  SELECT 'The order of ' || format_type(o.opcintype, NULL) FROM pg_opclass o JOIN pg_am m ON m.oid = o.opcmethod
    WHERE o.oid >= ${FIRST_USER_OID} AND o.opcintype < ${FIRST_USER_OID} AND o.opcdefault AND m.amname IN ('btree', 'hash')
  LIMIT 1`;

/**
 * Returns a built-in object needed by a query that has been replaced in this database; undefined if
 * there is none.
 */
export async function findChanged(
  client: DatabaseClient,
  functions: readonly string[],
  operators: readonly string[],
): Promise<string | undefined> {
  const { rows } = await client.query(CHANGED, [functions, operators]);
  return rows[0] === undefined ? undefined : Foreign.parse(rows[0]).what;
}

// Every overload counts: which of them PostgreSQL means depends on the arguments.
const NOT_OF_EXTENSION = `
  WITH members AS (
    SELECT x.classid, x.objid FROM pg_depend x JOIN pg_extension e ON e.oid = x.refobjid
    WHERE x.refclassid = 'pg_extension'::regclass AND x.deptype = 'e' AND e.extname = ANY ($4)
  ), found AS (
    SELECT 'function' AS kind, p.pronamespace AS schema, p.proname AS name, p.oid AS function,
      EXISTS (SELECT FROM members m WHERE m.classid = 'pg_proc'::regclass AND m.objid = p.oid) AS member FROM pg_proc p
    UNION ALL
    SELECT 'operator', o.oprnamespace, o.oprname, o.oprcode,
      EXISTS (SELECT FROM members m WHERE m.classid = 'pg_operator'::regclass AND m.objid = o.oid) FROM pg_operator o
  )
  SELECT 'The ' || w.kind || ' ' || w.schema || '.' || w.name AS what
  FROM unnest($1::text[], $2::text[], $3::text[]) AS w (kind, schema, name)
  LEFT JOIN pg_namespace n ON n.nspname = w.schema
  LEFT JOIN found f ON f.kind = w.kind AND f.schema = n.oid AND f.name = w.name
  LEFT JOIN pg_proc p ON p.oid = f.function LEFT JOIN pg_language l ON l.oid = p.prolang
  WHERE coalesce(NOT (f.member AND p.prokind = 'f' AND l.lanname IN ('c', 'internal')), true)
  LIMIT 1`;

/**
 * Returns the first function or operator that is not certainly from a trusted extension; undefined
 * if there is none.
 */
export async function findNotOfExtension(
  client: DatabaseClient,
  members: readonly ExtensionMember[],
): Promise<string | undefined> {
  if (members.length === 0) return undefined;
  const names = [members.map(({ kind }) => kind), members.map(({ schema }) => schema), members.map(({ name }) => name)];
  const { rows } = await client.query(NOT_OF_EXTENSION, [...names, [...TRUSTED_EXTENSIONS]]);
  return rows[0] === undefined ? undefined : Foreign.parse(rows[0]).what;
}

const FunctionFacts = z.object({
  name: z.string(),
  /** True for functions with one column in every overload. */
  scalar: z.boolean(),
  out: z.array(z.string()),
});

const FUNCTIONS = `
  SELECT p.proname AS name, t.typtype IN ('b', 'd', 'e', 'r', 'm') AS scalar,
    (SELECT coalesce(json_agg(n ORDER BY at), '[]') FROM unnest(p.proargnames, p.proargmodes) WITH ORDINALITY a (n, mode, at)
      WHERE mode IN ('o', 'b', 't')) AS out
  FROM pg_proc p JOIN pg_type t ON t.oid = p.prorettype
  WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proname = ANY ($1)`;

/** How PostgreSQL names the columns of a function in FROM. */
async function readFunctionColumns(client: DatabaseClient, functions: readonly string[]) {
  const columns = new Map<string, 'scalar' | readonly string[] | undefined>();
  if (functions.length === 0) return columns;
  const { rows } = await client.query(FUNCTIONS, [functions]);
  for (const { name, scalar, out } of z.array(FunctionFacts).parse(rows)) {
    const found = out.length > 0 ? out : scalar ? 'scalar' : undefined;
    const same = !columns.has(name) || JSON.stringify(columns.get(name)) === JSON.stringify(found);
    columns.set(name, same ? found : undefined);
  }
  return columns;
}

/** Reads the catalog for these relations and functions. */
export async function openCatalog(
  client: DatabaseClient,
  relations: readonly RelationFacts[],
  types: ReadonlyMap<string, TypeFacts>,
  functions: readonly string[],
): Promise<Catalog> {
  const ofFunctions = await readFunctionColumns(client, functions);
  const key = ({ schema, name }: RelationName) => JSON.stringify([schema, name]);
  const ofRelations = new Map(
    relations.map((relation) => {
      const rows = relation.columns.flatMap(({ name, type }) => {
        const fields = types.get(type)?.fields;
        return fields ? [[name, new Set(fields)] as const] : [];
      });
      const names = relation.columns.map(({ name }) => name);
      return [key(relation), orderedColumns(names, new Map(rows))] as const;
    }),
  );
  return {
    columnsOf: (relation) => ofRelations.get(key(relation)) ?? { names: new Set() },
    functionColumns: (name) => ofFunctions.get(name),
  };
}
