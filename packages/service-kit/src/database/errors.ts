/** The kinds of database errors that callers distinguish. */
export type DatabaseErrorCode = 'unavailable' | 'conflict' | 'timeout';

// Prisma's codes (P…), PostgreSQL's (SQLSTATE, five characters) and Node's (E…).
const KINDS: Readonly<Record<string, DatabaseErrorCode>> = {
  P1001: 'unavailable',
  P1002: 'unavailable',
  P1008: 'timeout',
  P1017: 'unavailable',
  P2002: 'conflict',
  P2024: 'timeout',
  P2028: 'timeout',
  '23505': 'conflict',
  // During a failover the old primary, or a standby, rejects writes.
  '25006': 'unavailable',
  '57014': 'timeout',
  '57P01': 'unavailable',
  '57P02': 'unavailable',
  '57P03': 'unavailable',
  '53300': 'unavailable',
  '08000': 'unavailable',
  '08003': 'unavailable',
  '08006': 'unavailable',
  ECONNREFUSED: 'unavailable',
  ECONNRESET: 'unavailable',
  EPIPE: 'unavailable',
  DatabaseNotReachable: 'unavailable',
  ConnectionClosed: 'unavailable',
  SocketTimeout: 'timeout',
  TooManyConnections: 'unavailable',
};

/** Connection errors of the driver that have no code. */
const KINDS_BY_MESSAGE: Readonly<Record<string, DatabaseErrorCode>> = {
  'Connection terminated unexpectedly': 'unavailable',
  'Connection terminated': 'unavailable',
  'Connection terminated due to connection timeout': 'unavailable',
  'timeout exceeded when trying to connect': 'unavailable',
  'Client has encountered a connection error and is not queryable': 'unavailable',
  'Query read timeout': 'timeout',
};

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * Returns the kind of a database error; undefined for other errors and for faulty queries. Unwraps the
 * errors of Prisma's driver adapter.
 */
export function databaseErrorCode(error: unknown, depth = 0): DatabaseErrorCode | undefined {
  if (depth > 4 || typeof error !== 'object' || error === null) return undefined;
  for (const name of ['code', 'originalCode', 'kind']) {
    const value = field(error, name);
    if (typeof value === 'string' && Object.hasOwn(KINDS, value)) return KINDS[value];
  }
  const byMessage = KINDS_BY_MESSAGE[String(field(error, 'message'))];
  if (byMessage !== undefined) return byMessage;
  return (
    databaseErrorCode(field(error, 'cause'), depth + 1) ??
    databaseErrorCode(field(field(error, 'meta'), 'driverAdapterError'), depth + 1)
  );
}
