import pg from 'pg';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;
const DUPLICATE_DATABASE = '42P04';

/**
 * Creates a database on the server that `url` points to and returns the URL of the new one; an existing one is kept.
 * With `template` it starts as a copy of that database , which must have no
 * connection open.
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  const from = template === undefined ? '' : ` TEMPLATE ${pg.escapeIdentifier(template)}`;
  try {
    await runStatement(url, `CREATE DATABASE ${pg.escapeIdentifier(name)}${from}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === DUPLICATE_DATABASE)) throw error;
  }
  return withDatabase(url, name);
}

/** Drops a database, closing the connections that are open to it; one that is not there is no error. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await runStatement(url, `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`);
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(name)}`;
  return other.href;
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client({
    connectionString: withDatabase(url, 'postgres'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
