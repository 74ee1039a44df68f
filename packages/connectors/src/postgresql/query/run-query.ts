import { databaseError } from '../database-error.ts';
import type { DatabaseClient } from '../open-database.ts';
import { QueryError } from './query-error.ts';

/** What one query may take. */
export interface QueryLimits {
  readonly maxRows: number;
  /** Bytes of the answer as they come from the server. */
  readonly maxBytes: number;
  /** Milliseconds for the whole query, all of its rows included. */
  readonly timeoutMs: number;
}

export const QUERY_LIMITS: QueryLimits = { maxRows: 200, maxBytes: 1024 * 1024, timeoutMs: 5_000 };

const LOCK_TIMEOUT_MS = 1_000;
const FETCH_ROWS = 50;

/** A query's answer; values as PostgreSQL writes them. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** True where there are more rows than the limit. */
  readonly truncated: boolean;
}

/**
 * Has the server look now and then (milliseconds) whether we are still there, so that a query which was given up ends by itself. Servers
 * before 14, and on some systems, cannot: there the time limit ends it.
 */
const NOTICE_OUR_LEAVING =
  "SELECT set_config(name, '200', false) FROM pg_catalog.pg_settings WHERE name = 'client_connection_check_interval'";

/**
 * Makes the planner reject foreign tables, including those attached as partitions after the check.
 * Older servers do not have the setting.
 */
const NO_FOREIGN_TABLES = `SELECT set_config(name, 'foreign-table', true) FROM pg_catalog.pg_settings WHERE name = 'restrict_nonsystem_relation_kind'`;

const textOnly = { getTypeParser: () => (value: string | Buffer) => value.toString() };

/**
 * Runs a query in a read-only transaction that is always rolled back: by the extended protocol, which takes one statement, as a cursor, which is
 * a query and nothing else, with limits on time, locks, rows and bytes. The second and third of four layers: they hold whatever `sql` is.
 * Throws `QueryError` for what the query's author can mend, `SourceError` for the rest. The connection is not to be used again after an error.
 */
export async function runQuery(
  client: DatabaseClient,
  {
    sql,
    admit = () => Promise.resolve(sql),
    limits = QUERY_LIMITS,
  }: {
    readonly sql: string;
    /**
     * The rest of the first layer, in the query's own transaction: returns the statement to run, or
     * throws `QueryError`.
     */
    readonly admit?: (client: DatabaseClient) => Promise<string>;
    readonly limits?: QueryLimits;
  },
): Promise<QueryResult> {
  const deadline = performance.now() + limits.timeoutMs;
  const remaining = () => Math.max(1, Math.floor(deadline - performance.now()));
  const stopCounting = limitBytes(client, limits.maxBytes);
  try {
    // A refusal leaves things as they were, and a lost connection is told of by what follows.
    await client.query(NOTICE_OUR_LEAVING).catch(() => undefined);
    // The path contains only pg_catalog, so that no user-defined function or operator is called.
    // `pg_temp` is listed because it would otherwise come first.
    await client.query(`
      BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;
      SET LOCAL search_path = pg_catalog, pg_temp;
      SET LOCAL standard_conforming_strings = on;
      SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS};
      SET LOCAL idle_in_transaction_session_timeout = ${limits.timeoutMs};
      SET LOCAL statement_timeout = ${remaining()};`);
    await client.query(NO_FOREIGN_TABLES);
    const admitted = await admit(client);
    await client.query(`SET LOCAL statement_timeout = ${remaining()}`);
    // One statement, whatever it holds: the extended protocol takes no more.
    const declare = { text: `DECLARE answer NO SCROLL CURSOR WITHOUT HOLD FOR ${admitted}`, queryMode: 'extended' };
    await client.query(declare);
    const rows: (string | null)[][] = [];
    let columns: readonly string[] = [];
    for (;;) {
      await client.query(`SET LOCAL statement_timeout = ${remaining()}`);
      const wanted = Math.min(FETCH_ROWS, limits.maxRows + 1 - rows.length);
      const page = await client.query<(string | null)[]>({
        text: `FETCH FORWARD ${wanted} FROM answer`,
        rowMode: 'array',
        types: textOnly,
      });
      columns = page.fields.map(({ name }) => name);
      rows.push(...page.rows);
      if (page.rows.length < wanted || rows.length > limits.maxRows) break;
    }
    await client.query('ROLLBACK');
    return { columns, rows: rows.slice(0, limits.maxRows), truncated: rows.length > limits.maxRows };
  } catch (error) {
    if (error instanceof QueryError) throw error;
    throw queryError(error, limits);
  } finally {
    stopCounting();
  }
}

/** Ends the connection at the byte past the limit: a single value could be a gigabyte, and would be read whole. */
function limitBytes(client: DatabaseClient, maxBytes: number): () => void {
  const { stream } = client.connection;
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) stream.destroy(new TooManyBytes());
  };
  stream.on('data', count);
  return () => void stream.off('data', count);
}

class TooManyBytes extends Error {}

// Errors of the query itself, by the class of their SQLSTATE: data, syntax and names, limits, and what a read-only transaction refuses.
const AUTHORS = /^(?:22|42|54|0A|21|25006|2F)/;
const MAX_MESSAGE = 500;

function queryError(error: unknown, { maxBytes, timeoutMs }: QueryLimits): Error {
  if (error instanceof TooManyBytes) {
    return new QueryError(`The answer is larger than ${maxBytes} bytes. Ask for fewer or shorter columns.`, {
      cause: error,
    });
  }
  const state = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (state === '57014') {
    return new QueryError(`The query took longer than ${timeoutMs} ms and was stopped. Make it smaller.`, {
      cause: error,
    });
  }
  if (state === '55P03') return new QueryError('The table is locked at the moment. Try again later.', { cause: error });
  if (state === '42501') {
    return new QueryError('The database user of the connector may not read this.', { cause: error });
  }
  if (AUTHORS.test(state) && error instanceof Error) {
    return new QueryError(`PostgreSQL says: ${error.message.slice(0, MAX_MESSAGE)}`, { cause: error });
  }
  return databaseError(error);
}
