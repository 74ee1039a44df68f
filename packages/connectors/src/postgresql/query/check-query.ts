import { parse, SqlError } from 'libpg-query';
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_NODES,
  ALLOWED_TYPES,
  ALLOWED_VALUE_FUNCTIONS,
  FORBIDDEN_FIELDS,
} from './allowed.ts';
import { QueryError } from './query-error.ts';

/** UTF-16 units of a query. */
const MAX_LENGTH = 10_000;
/** Nodes within each other in the parse tree. */
const MAX_DEPTH = 400;

const CATALOG = 'pg_catalog';

/** The tree as data: a node is an object with its name as the only key, in capitals. */
type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Lets exactly one SELECT (or VALUES) through that is made of allowed parts alone and names only tables of `schema`. The first of four layers;
 * the others (a read-only transaction, limits, the role) hold without it. Throws `QueryError`.
 */
export async function checkQuery(sql: string, schema: string): Promise<void> {
  if (sql.length > MAX_LENGTH) throw new QueryError(`The query is longer than ${MAX_LENGTH} characters.`);
  // The parser, written in C, would end there and not see what follows.
  if (sql.includes('\0')) throw new QueryError('The query holds a NUL character.');
  if (sql.trim() === '') throw new QueryError('The query is empty.');
  const [first, ...more] = statementsOf(await parsed(sql));
  if (first === undefined) throw new QueryError('The query is empty.');
  if (more.length > 0) throw new QueryError('Only one statement can be run at a time.');
  if (!isTree(first.stmt) || !('SelectStmt' in first.stmt)) throw new QueryError('Only SELECT can be run here.');
  walk(first.stmt, schema, 0);
}

async function parsed(sql: string): Promise<unknown> {
  try {
    return await parse(sql);
  } catch (error) {
    if (error instanceof SqlError)
      throw new QueryError(`The query is no valid SQL: ${error.message}.`, { cause: error });
    // The parser's stack has an end, and says so in errors of several kinds.
    throw new QueryError('The query is nested too deeply.', { cause: error });
  }
}

function statementsOf(tree: unknown): readonly Tree[] {
  return isTree(tree) && Array.isArray(tree.stmts) ? tree.stmts.filter(isTree) : [];
}

function walk(value: unknown, schema: string, depth: number): void {
  if (depth > MAX_DEPTH) throw new QueryError('The query is nested too deeply.');
  if (Array.isArray(value)) {
    for (const item of value) walk(item, schema, depth + 1);
    return;
  }
  if (!isTree(value)) return;
  for (const [key, child] of Object.entries(value)) {
    const forbidden = Object.hasOwn(FORBIDDEN_FIELDS, key) ? FORBIDDEN_FIELDS[key] : undefined;
    if (forbidden !== undefined && isPresent(child)) throw new QueryError(`${forbidden}.`);
    if (/^[A-Z]/.test(key)) checkNode(key, child, schema);
    else if (key === 'typeName') checkType(child);
    else if (key === 'relation') checkRelation(child, schema);
    walk(child, schema, depth + 1);
  }
}

const isPresent = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '' && value !== false;

function checkNode(name: string, node: unknown, schema: string): void {
  if (!ALLOWED_NODES.has(name)) throw new QueryError(`${describeNode(name)} cannot be used; only plain SELECT can.`);
  if (!isTree(node)) return;
  if (name === 'RangeVar') checkRelation(node, schema);
  else if (name === 'FuncCall') checkFunction(namesIn(node.funcname));
  else if (name === 'TypeName') checkType(node);
  else if (name === 'A_Expr') checkQualifier(namesIn(node.name), 'operator');
  else if (name === 'CollateClause') checkQualifier(namesIn(node.collname), 'collation');
  else if (name === 'SQLValueFunction' && !ALLOWED_VALUE_FUNCTIONS.test(String(node.op))) {
    throw new QueryError('Of the values without parentheses, only dates and times such as CURRENT_DATE can be used.');
  }
}

/** `InsertStmt` is what people call INSERT. */
const describeNode = (name: string): string =>
  name.endsWith('Stmt') ? name.slice(0, -'Stmt'.length).toUpperCase() : name;

/** The parts of a name that may be qualified, such as `["pg_catalog", "lower"]`. */
function namesIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.map((item) => (isTree(item) && isTree(item.String) ? String(item.String.sval) : ''));
}

function checkRelation(relation: unknown, schema: string): void {
  if (!isTree(relation)) return;
  const { schemaname, relname } = relation;
  if (schemaname !== undefined && schemaname !== schema) {
    throw new QueryError(
      `Only tables of the schema ${schema} can be read, not ${String(schemaname)}.${String(relname)}.`,
    );
  }
  // Without a schema PostgreSQL looks into its own catalogue first, where all names begin so.
  if (schemaname === undefined && /^pg_/.test(String(relname))) {
    throw new QueryError(
      `The system table ${String(relname)} cannot be read. For a table of that name, name its schema.`,
    );
  }
}

function checkFunction(names: readonly string[]): void {
  const name = unqualified(names, 'function');
  if (!ALLOWED_FUNCTIONS.has(name)) throw new QueryError(`The function ${name} cannot be used here.`);
}

function checkType(type: unknown): void {
  if (!isTree(type)) return;
  const name = unqualified(namesIn(type.names), 'type');
  if (!ALLOWED_TYPES.has(name)) throw new QueryError(`Values cannot be cast to ${name} here.`);
}

const checkQualifier = (names: readonly string[], what: string): void => void unqualified(names, what);

function unqualified(names: readonly string[], what: string): string {
  const [last = ''] = names.slice(-1);
  if (names.length > 2 || (names.length === 2 && names[0] !== CATALOG)) {
    throw new QueryError(`The ${what} ${names.join('.')} cannot be used: only PostgreSQL's own can.`);
  }
  return last;
}
