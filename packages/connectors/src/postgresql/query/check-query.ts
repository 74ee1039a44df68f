import { parse, SqlError } from 'libpg-query';
import { nodeOf } from '#postgresql/query/fields';
import { QueryError } from '#postgresql/query/query-error';
import { type ReadStatement, readStatement } from '#postgresql/query/read-statement';
import type { CheckOptions } from '#postgresql/query/statement-context';

/** A statement that passed, with its parse tree. */
export interface CheckedQuery extends ReadStatement {
  readonly tree: readonly unknown[];
}

/** UTF-16 units of a query. */
const MAX_LENGTH = 10_000;
/** Maximum length of a view's text. */
const MAX_STORED_LENGTH = 200_000;

/**
 * Accepts exactly one SELECT (or VALUES) that has only allowed parts and only tables of `schema`.
 * The first of four layers; the others (a read-only transaction, limits, the role) work without it.
 * The result contains the checks that need the catalog, for `admitQuery`. Throws `QueryError`.
 */
export async function checkQuery(sql: string, schema: string): Promise<CheckedQuery> {
  if (sql.length > MAX_LENGTH) throw new QueryError(`The query is longer than ${MAX_LENGTH} characters.`);
  return check(sql, { schema, stored: false });
}

/** Checks SQL that the database's owner wrote, as PostgreSQL prints it: a view or an expression. */
export async function checkStored(sql: string): Promise<CheckedQuery> {
  if (sql.length > MAX_STORED_LENGTH) {
    throw new QueryError(`It is longer than ${MAX_STORED_LENGTH} characters.`);
  }
  return check(sql, { schema: undefined, stored: true });
}

async function check(sql: string, options: CheckOptions): Promise<CheckedQuery> {
  const tree = await statementsOf(sql);
  const [first, ...more] = tree;
  if (first === undefined) throw new QueryError('The query is empty.');
  if (more.length > 0) throw new QueryError('Only one statement can be run at a time.');
  const { name, fields } = nodeOf(first);
  if (name !== 'SelectStmt') throw new QueryError('Only SELECT can be run here.');
  return { ...readStatement(fields, options), tree };
}

/** Returns the parse trees of all statements of a text. Throws `QueryError` for invalid SQL. */
export async function statementsOf(sql: string): Promise<readonly unknown[]> {
  // The parser is written in C and would stop there.
  if (sql.includes('\0')) throw new QueryError('The query contains a NUL character.');
  // A lone surrogate would become another character when it is encoded.
  if (!sql.isWellFormed()) throw new QueryError('The query is not well-formed Unicode.');
  if (sql.trim() === '') throw new QueryError('The query is empty.');
  const { stmts } = await parsed(sql);
  return (stmts ?? []).map(({ stmt }) => stmt);
}

async function parsed(sql: string): Promise<{ readonly stmts?: readonly { readonly stmt?: unknown }[] }> {
  try {
    return await parse(sql);
  } catch (error) {
    if (error instanceof SqlError)
      throw new QueryError(`The query is not valid SQL: ${error.message}.`, { cause: error });
    // The parser throws various errors when its stack overflows.
    throw new QueryError('The query is nested too deeply.', { cause: error });
  }
}
