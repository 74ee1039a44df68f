import { PrismaPg } from '@prisma/adapter-pg';

export interface DatabaseOptions {
  /** PostgreSQL's address. */
  readonly url: string;
  /** The service's own PostgreSQL schema. */
  readonly schema: string;
  /** Connections at the most, default 10. */
  readonly maxConnections?: number;
}

/** The driver adapter for a service's Prisma client: own schema, also for raw SQL, and a deadline on connecting and on statements. */
export function createDatabaseAdapter({ url, schema, maxConnections = 10 }: DatabaseOptions): PrismaPg {
  return new PrismaPg(
    {
      connectionString: url,
      max: maxConnections,
      connectionTimeoutMillis: 10_000,
      options: `-c search_path="${schema}" -c statement_timeout=30000 -c idle_in_transaction_session_timeout=60000`,
    },
    { schema },
  );
}
