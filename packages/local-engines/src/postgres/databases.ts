import pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
/** A database that every server has. */
const MAINTENANCE = 'postgres';
const DUPLICATE_DATABASE = '42P04';

/**
 * Creates a database on the server of `url` if it does not exist, and returns its URL. With `template` it
 * is a copy of that database, which must have no open connections.
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  const from = template === undefined ? '' : ` TEMPLATE ${pg.escapeIdentifier(template)}`;
  await onServer(withDatabase(url, MAINTENANCE), async (client) => {
    // Checks first, so that the server does not log an error at every start.
    const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (existing.rowCount === 0)
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}${from}`).catch(ignoreDuplicate);
  });
  return withDatabase(url, name);
}

/** Drops a database, if it exists, and closes its connections. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  const statement = `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`;
  await onServer(withDatabase(url, MAINTENANCE), (client) => client.query(statement));
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other.href;
}

/** Connects to a database to check its URL. Throws PostgreSQL's error, for example for a wrong password. */
export async function signIn(url: string): Promise<void> {
  await onServer(url, () => Promise.resolve());
}

/**
 * Returns the oldest running transaction (`pg_snapshot_xmin`). All earlier transactions are visible, and
 * later writes have the same or a newer id.
 */
export async function oldestTransaction(url: string): Promise<string> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ xid: string }>('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xid');
    return rows[0]?.xid ?? '';
  });
}

/** Ignores the error if another process created the database after the check. */
function ignoreDuplicate(error: unknown): void {
  if (!(error instanceof pg.DatabaseError && error.code === DUPLICATE_DATABASE)) throw error;
}

/** Runs a function with a new connection to a database. */
export async function onServer<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: statementTimeoutMs,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
