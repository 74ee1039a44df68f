import { databaseError } from '#postgresql/database-error';
import type { DatabaseClient } from '#postgresql/open-database';
import { QueryError } from '#postgresql/query/query-error';

/** The limits of one query. */
export interface QueryLimits {
  readonly maxRows: number;
  /** Bytes of the result as the server sends them. */
  readonly maxBytes: number;
  /** Milliseconds for the whole query, including all rows. */
  readonly timeoutMs: number;
}

export const QUERY_LIMITS: QueryLimits = { maxRows: 200, maxBytes: 1024 * 1024, timeoutMs: 5_000 };

const LOCK_TIMEOUT_MS = 1_000;
const FETCH_ROWS = 50;

/** The result of a query. Values are in PostgreSQL's text format. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
  /** True if there are more rows than the limit. */
  readonly truncated: boolean;
}

/**
 * Makes the server check every 200 ms whether the client is still connected, so that an abandoned
 * query ends. Servers before version 14, and servers on some systems, do not support it. There the
 * timeout ends the query.
 */
const CHECK_CONNECTION =
  "SELECT set_config(name, '200', false) FROM pg_catalog.pg_settings WHERE name = 'client_connection_check_interval'";

/**
 * Makes the planner reject foreign tables, including those attached as partitions after the check.
 * Older servers do not have the setting.
 */
const NO_FOREIGN_TABLES = `SELECT set_config(name, 'foreign-table', true) FROM pg_catalog.pg_settings WHERE name = 'restrict_nonsystem_relation_kind'`;

const textOnly = { getTypeParser: () => (value: string | Buffer) => value.toString() };

/**
 * Runs a query in a read-only transaction that is always rolled back, with limits on time, locks,
 * rows and bytes. The extended protocol accepts only one statement, and a cursor accepts only a
 * query. These are the second and third of four layers: they do not depend on `sql`. Throws `QueryError` if
 * the author can fix the query, else `SourceError`. Do not reuse the connection after an error.
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
    // A failure changes nothing; if the connection is lost, the next statement fails.
    await client.query(CHECK_CONNECTION).catch(() => undefined);
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
    // The extended protocol accepts only one statement.
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

/**
 * Ends the connection when the limit is exceeded: the client would read even a single value of a
 * gigabyte.
 */
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

// Errors of the query by SQLSTATE class: data, syntax and names, limits, and writes in a read-only
// transaction.
const AUTHORS = /^(?:22|42|54|0A|21|25006|2F)/;
const MAX_MESSAGE = 500;

function queryError(error: unknown, { maxBytes, timeoutMs }: QueryLimits): Error {
  if (error instanceof TooManyBytes) {
    return new QueryError(`The result is larger than ${maxBytes} bytes. Select fewer or shorter columns.`, {
      cause: error,
    });
  }
  const state = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (state === '57014') {
    return new QueryError(
      `The query took longer than ${timeoutMs} ms and was stopped. Simplify it or select fewer rows.`,
      {
        cause: error,
      },
    );
  }
  if (state === '55P03') return new QueryError('The table is locked. Try again later.', { cause: error });
  if (state === '42501') {
    return new QueryError('The database user of the connector has no permission to read this.', { cause: error });
  }
  if (AUTHORS.test(state) && error instanceof Error) {
    return new QueryError(`PostgreSQL reports: ${error.message.slice(0, MAX_MESSAGE)}`, { cause: error });
  }
  return databaseError(error);
}
