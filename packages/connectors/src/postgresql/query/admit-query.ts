import type { DatabaseClient } from '#postgresql/open-database';
import {
  findChanged,
  findNotOfExtension,
  openCatalog,
  type RelationFacts,
  type RelationName,
  readRelationFacts,
  readTypeFacts,
  type TypeFacts,
  type TypeName,
} from '#postgresql/query/catalog';
import { type CheckedQuery, checkStored, statementsOf } from '#postgresql/query/check-query';
import { QueryError } from '#postgresql/query/query-error';

/** Maximum number of tables behind all views of a query. */
const MAX_NESTED = 200;
/** Tables, partitioned tables, views and materialized views. */
const READABLE_KINDS = ['r', 'p', 'v', 'm'];

/** Operators that PostgreSQL uses without the query naming them: IN, BETWEEN, CASE, USING. */
const IMPLIED_OPERATORS = ['=', '<>', '<', '>', '<=', '>='];

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const quoted = ({ schema, name }: RelationName): string => `${quote(schema)}.${quote(name)}`;
const keyOf = ({ schema, name }: RelationName): string => JSON.stringify([schema, name]);
const shown = ({ schema, name }: RelationName): string => `${schema}.${name}`;

/**
 * Second half of the first layer. Runs in the transaction that then runs the query, and checks
 * against the catalog what `checkQuery` could not decide. Returns the statement to run. All its
 * tables are schema-qualified, so that the search path can contain only `pg_catalog`. Throws
 * `QueryError`.
 */
export async function admitQuery(
  client: DatabaseClient,
  { sql, schema, query }: { readonly sql: string; readonly schema: string; readonly query: CheckedQuery },
): Promise<string> {
  // Analyzed but never executed: this takes the locks that keep tables and views unchanged until
  // the transaction ends.
  if (query.relations.length > 0) {
    await client.query(`PREPARE lectern_tables AS SELECT FROM ${query.relations.map(quoted).join(', ')}`);
  }
  const { relations, statements } = await readAllRelations(client, query);
  const types = await readTypes(client, relations, statements);
  const all = [query, ...statements, ...types.statements];
  const functions = [...new Set(all.flatMap((each) => [...each.functions]))];
  const operators = [...new Set([...IMPLIED_OPERATORS, ...all.flatMap((each) => [...each.operators])])];
  const changed = await findChanged(client, functions, operators);
  if (changed !== undefined) {
    throw new QueryError(
      `${changed} has been replaced or overloaded in this database, so SQL queries are disabled. Ask the database administrator to restore the original.`,
    );
  }
  const inFrom = [...new Set(all.flatMap((each) => [...each.functionsInFrom]))];
  const catalog = await openCatalog(client, relations, types.facts, inFrom);
  for (const each of all) each.resolve(catalog);
  return qualify(sql, schema, query);
}

function checkKind(relation: RelationFacts): void {
  const name = shown(relation);
  if (relation.foreign || relation.kind === 'f') {
    throw new QueryError(`${name} contains rows of a foreign table, which cannot be queried with SQL.`);
  }
  if (!READABLE_KINDS.includes(relation.kind)) throw new QueryError(`${name} is not a table or view.`);
}

/**
 * Returns all relations of a query including those behind its views, and the statements and
 * expressions that reading them runs.
 */
async function readAllRelations(client: DatabaseClient, query: CheckedQuery) {
  const relations = new Map<string, RelationFacts>();
  const statements: CheckedQuery[] = [];
  let wanted: readonly RelationName[] = query.relations;
  for (let nested = false; wanted.length > 0; nested = true) {
    const found = await readRelationFacts(client, wanted, nested);
    const missing = wanted.find((name) => !found.some((relation) => keyOf(relation) === keyOf(name)));
    if (missing !== undefined) throw new QueryError(`The table ${shown(missing)} does not exist.`);
    const next: CheckedQuery[] = [];
    for (const relation of found) {
      if (relation.hidden && !nested)
        throw new QueryError(`${shown(relation)} cannot be queried with SQL: it is not in the list of tables.`);
      checkKind(relation);
      relations.set(keyOf(relation), relation);
      next.push(...(await checkStoredSql(client, relation)));
    }
    statements.push(...next);
    const names = new Map(next.flatMap((statement) => statement.relations).map((name) => [keyOf(name), name]));
    wanted = [...names].flatMap(([key, name]) => (relations.has(key) ? [] : [name]));
    if (relations.size + wanted.length > MAX_NESTED) {
      throw new QueryError(`The views of the query read more than ${MAX_NESTED} tables.`);
    }
  }
  return { relations: [...relations.values()], statements };
}

/** Checks the statements that reading a relation runs, like a query. */
async function checkStoredSql(client: DatabaseClient, relation: RelationFacts): Promise<readonly CheckedQuery[]> {
  const texts = [
    ...(relation.view === null ? [] : [{ sql: relation.view, what: 'the definition of the view' }]),
    ...relation.expressions.map(({ table, text }) => ({
      sql: `SELECT ${text} FROM ${table}`,
      what: 'a policy or generated column',
    })),
  ];
  const checked: CheckedQuery[] = [];
  for (const { sql, what } of texts) {
    checked.push(await checkOwnerSql(client, sql, `${shown(relation)} cannot be queried with SQL because of ${what}`));
  }
  return checked;
}

/** Checks SQL that the database's owner wrote; `problem` begins the error message. */
async function checkOwnerSql(client: DatabaseClient, sql: string, problem: string): Promise<CheckedQuery> {
  try {
    const query = await checkStored(sql);
    const foreign = await findNotOfExtension(client, query.ofExtensions);
    if (foreign === undefined) return query;
    throw new QueryError(`${foreign} can run custom code.`);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw new QueryError(`${problem}: ${error.message}`, { cause: error });
  }
}

const TYPES_NAMED = `SELECT t.oid::text AS type FROM unnest($1::text[], $2::text[]) AS wanted (schema, name)
  JOIN pg_namespace n ON n.nspname = wanted.schema JOIN pg_type t ON t.typnamespace = n.oid AND t.typname = wanted.name`;

/**
 * Reads the types of all columns and rows, and those in casts of stored SQL, and rejects types that
 * can run custom code.
 */
async function readTypes(client: DatabaseClient, relations: readonly RelationFacts[], stored: readonly CheckedQuery[]) {
  const facts = new Map<string, TypeFacts>();
  const ofColumns = relations.flatMap(({ columns, rowType }) => [
    ...columns.map(({ type }) => type),
    ...(rowType === null ? [] : [rowType]),
  ]);
  await addFacts(client, facts, ofColumns);
  for (const relation of relations) {
    for (const { name, type } of [...relation.columns, { name: 'a whole row', type: relation.rowType ?? '' }]) {
      const untrusted = facts.get(type)?.untrusted;
      if (untrusted === undefined || untrusted === null) continue;
      throw new QueryError(
        `${shown(relation)} cannot be queried with SQL: the type ${untrusted} (${name}) can run custom code. Create a materialized view without this column and query that.`,
      );
    }
  }
  const checked = new Map<string, CheckedQuery>();
  const seen = new Set<string>();
  // The check of a domain can cast to another domain with a check.
  for (;;) {
    const checks = new Set([...facts.values()].flatMap((type) => type.checks));
    for (const check of checks) {
      if (checked.has(check)) continue;
      const problem = 'A table of the query cannot be queried with SQL because of the check of a domain';
      checked.set(check, await checkOwnerSql(client, `SELECT ${check}`, problem));
    }
    const named = [...stored, ...checked.values()].flatMap(({ types }) => types);
    const wanted = named.filter(({ schema, name }) => !seen.has(JSON.stringify([schema, name])));
    if (wanted.length === 0) return { facts, statements: [...checked.values()] };
    if (seen.size + wanted.length > MAX_NESTED) {
      throw new QueryError(`The tables and views of the query cast to more than ${MAX_NESTED} types.`);
    }
    for (const { schema, name } of wanted) seen.add(JSON.stringify([schema, name]));
    await addCast(client, facts, wanted);
  }
}

async function addFacts(client: DatabaseClient, facts: Map<string, TypeFacts>, types: readonly string[]) {
  const unknown = [...new Set(types)].filter((type) => !facts.has(type));
  for (const type of unknown.length === 0 ? [] : await readTypeFacts(client, unknown)) facts.set(type.type, type);
}

/** Adds the types in casts of stored SQL. */
async function addCast(client: DatabaseClient, facts: Map<string, TypeFacts>, names: readonly TypeName[]) {
  const params = [names.map(({ schema }) => schema), names.map(({ name }) => name)];
  const { rows } = await client.query<{ type: string }>(TYPES_NAMED, params);
  await addFacts(
    client,
    facts,
    rows.map(({ type }) => type),
  );
  const untrusted = rows.map(({ type }) => facts.get(type)?.untrusted).find((type) => typeof type === 'string');
  if (untrusted === undefined) return;
  throw new QueryError(`A table or view of the query casts to the type ${untrusted}, which can run custom code.`);
}

/**
 * Adds the schema to each table that has none, and verifies that the statement is otherwise
 * unchanged.
 */
async function qualify(sql: string, schema: string, query: CheckedQuery): Promise<string> {
  if (query.unqualified.length === 0) return sql;
  const bytes = Buffer.from(sql);
  const at = [...new Set(query.unqualified)].sort((a, b) => a - b);
  const parts = at.map((start, index) => bytes.subarray(index === 0 ? 0 : at[index - 1], start).toString());
  const text = [...parts, bytes.subarray(at.at(-1)).toString()].join(`${quote(schema)}.`);
  const after = await statementsOf(text);
  if (JSON.stringify(withSchema(query.tree, schema, at)) !== JSON.stringify(withSchema(after, schema, []))) {
    throw new QueryError('The query is ambiguous. Write the schema before the names of its tables.');
  }
  return text;
}

/** Returns the tree without locations, with a schema for the tables at these locations. */
function withSchema(tree: unknown, schema: string, at: readonly number[]): unknown {
  if (Array.isArray(tree)) return tree.map((item) => withSchema(item, schema, at));
  if (typeof tree !== 'object' || tree === null) return tree;
  const fields = Object.entries(tree);
  const place: unknown = 'location' in tree ? tree.location : 0;
  const isPlaced = 'relname' in tree && !('schemaname' in tree) && typeof place === 'number' && at.includes(place);
  const entries = [...fields, ...(isPlaced ? [['schemaname', schema] as const] : [])]
    .filter(([key]) => !PLACES.has(key))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, withSchema(value, schema, at)]));
}

const PLACES = new Set(['location', 'list_start', 'list_end', 'rexpr_list_start', 'rexpr_list_end']);
