import { PrismaPg } from '@prisma/adapter-pg';

export interface DatabaseOptions {
  /** PostgreSQL's address. */
  readonly url: string;
  /** The service's own PostgreSQL schema. */
  readonly schema: string;
  /** Connections at the most, default 10. */
  readonly maxConnections?: number;
  /** Milliseconds that a statement may take, default 30,000. */
  readonly statementTimeoutMs?: number;
}

/** Beyond the server's own limit: only a server that is not reached any more gets so far. */
const GRACE_MS = 1_000;

/** The driver adapter for a service's Prisma client: own schema, also for raw SQL, and a deadline on connecting and on statements. */
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
      // The server's limit says nothing where the server is out of reach.
      query_timeout: statementTimeoutMs + GRACE_MS,
      keepAlive: true,
      options: `-c search_path="${schema}" -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=60000`,
    },
    { schema },
  );
}
