import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** The lock of Prisma's own engine, so that both can be used. */
const ADVISORY_LOCK = 72_707_369;

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

export interface MigrationOptions {
  /** PostgreSQL's address. */
  readonly url: string;
  /** The service's PostgreSQL schema. Created if missing. */
  readonly schema: string;
  /** The folder of Prisma's migrations. */
  readonly dir: string;
}

interface AppliedRow {
  readonly name: string;
  readonly checksum: string;
  readonly finished: Date | null;
}

/**
 * Applies a migration and inserts its row in one transaction, so that a killed process leaves
 * nothing.
 */
async function applyOne(client: pg.Client, name: string, sql: string, checksum: string): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
      VALUES ($1, $2, $3, clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    throw new Error(`Migration ${name} failed and was rolled back: ${String(error)}`, { cause: error });
  }
}

/**
 * Applies a service's Prisma migrations, with the table format of `prisma migrate deploy`. Replicas can
 * run it in parallel: one applies them, the others wait up to 60 s. Each migration is one transaction,
 * so it can be interrupted and must not contain statements like CREATE INDEX CONCURRENTLY. Throws if a
 * migration fails, failed earlier under `prisma migrate`, or was edited after it was applied.
 */
export async function applyMigrations({ url, schema, dir }: MigrationOptions): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    options: `-c search_path="${schema}"`,
    connectionTimeoutMillis: 10_000,
  });
  await client.connect();
  try {
    await client.query("SET lock_timeout = '60s'");
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCK]);
    // A service's role cannot create schemas, and PostgreSQL rejects even IF NOT EXISTS for it.
    const existing = await client.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema]);
    if (existing.rowCount === 0) await client.query(`CREATE SCHEMA ${client.escapeIdentifier(schema)}`);
    await client.query(CREATE_TABLE);
    const { rows } = await client.query<AppliedRow>(
      'SELECT migration_name AS name, checksum, finished_at AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
    );
    const applied = new Map(rows.map((row) => [row.name, row]));
    const entries = await readdir(dir, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
    for (const name of names) {
      const sql = await readFile(join(dir, name, 'migration.sql'), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      const row = applied.get(name);
      if (row === undefined) await applyOne(client, name, sql, checksum);
      else if (row.finished === null)
        throw new Error(`Migration ${name} failed earlier; resolve it with prisma migrate resolve.`);
      else if (row.checksum !== checksum) throw new Error(`Migration ${name} was edited after it was applied.`);
    }
  } finally {
    await client.end();
  }
}
