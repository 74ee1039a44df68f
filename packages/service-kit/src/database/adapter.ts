import { PrismaPg } from '@prisma/adapter-pg';

export interface DatabaseOptions {
  /** PostgreSQL's address. */
  readonly url: string;
  /** The service's own PostgreSQL schema. */
  readonly schema: string;
  /** Default 10. */
  readonly maxConnections?: number;
  /** Default 30,000. */
  readonly statementTimeoutMs?: number;
}

/** Added to the server's statement timeout. Only an unreachable server takes this long. */
const GRACE_MS = 1_000;

/**
 * Creates the driver adapter of a service's Prisma client, with its schema also for raw SQL and
 * with timeouts.
 */
export function createDatabaseAdapter({
  url,
  schema,
  maxConnections = 10,
  statementTimeoutMs = 30_000,
}: DatabaseOptions): PrismaPg {
  return new PrismaPg(
    {
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: Math.min(10_000, statementTimeoutMs),
      // The server's statement timeout does not help if the server is unreachable.
      query_timeout: statementTimeoutMs + GRACE_MS,
      keepAlive: true,
      options: `-c search_path="${schema}" -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=60000`,
    },
    { schema },
  );
}
