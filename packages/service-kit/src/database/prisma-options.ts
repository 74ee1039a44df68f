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
  /** Milliseconds to get a connection for a transaction, and to end it. Default 11,000 and 20,000. */
  readonly transactionLimits?: TransactionLimits;
}

export interface TransactionLimits {
  readonly maxWait: number;
  readonly timeout: number;
}

/** What every generated Prisma client accepts. */
export interface PrismaOptions {
  readonly adapter: PrismaPg;
  readonly transactionOptions: TransactionLimits;
}

/** Added to the server's statement timeout. Only an unreachable server takes this long. */
const GRACE_MS = 1_000;

/**
 * Milliseconds to get a connection, and to end. Prisma's defaults of 2 and 5 s are too short for a
 * busy machine, which opens its first connections slowly.
 */
const TRANSACTION_LIMITS = { maxWait: 11_000, timeout: 20_000 };

/**
 * Returns the options of a service's Prisma client: its schema also for raw SQL, and timeouts of
 * connections, statements and transactions.
 */
export function prismaOptions({
  url,
  schema,
  maxConnections = 10,
  statementTimeoutMs = 30_000,
  transactionLimits = TRANSACTION_LIMITS,
}: DatabaseOptions): PrismaOptions {
  const adapter = new PrismaPg(
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
  return { adapter, transactionOptions: { ...transactionLimits } };
}
