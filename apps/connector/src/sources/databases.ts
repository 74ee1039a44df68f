import { type ConnectorCall, type DatabaseQueries, QueryError, SourceError } from '@lectern/connectors';
import type { ErrorCode } from '@lectern/contracts';
import { AppError, invalidRequest, notFound, type ServiceCall } from '@lectern/service-kit';
import { jsonObject } from '#common/json';
import { findConnector } from '#connectors/connector';
import type { Context } from '#context';
import type { Connector } from '#gen/prisma/client';

// Connectors whose source is a database that callers can query.

/** The connector types that are databases. */
export const DATABASE_TYPES = ['postgresql'];

/** Longer than the maximum time of a query, because connecting also takes time. */
const DEADLINE_MS = 20_000;

/** Returns who can read a whole database. Its rows have no principals of their own. */
function principalsOf(config: unknown): readonly string[] {
  const { principals } = jsonObject(config);
  return Array.isArray(principals) ? principals.map(String) : ['public'];
}

/**
 * Returns a function that checks whether the call's end user can read a database. Without an end
 * user, only the key's scope restricts access.
 */
export async function databaseReader(
  ctx: Context,
  call: ServiceCall,
): Promise<(connector: Pick<Connector, 'config'>) => boolean> {
  // The rows of a database have no fields that the filters of a user token could compare.
  if (call.caller.filters !== undefined) return () => false;
  if (call.caller.userEmail === undefined) return () => true;
  const callerPrincipals = new Set(await ctx.index.principalsOf(call));
  return ({ config }) => principalsOf(config).some((principal) => callerPrincipals.has(principal));
}

/**
 * Finds a database that the caller can query. Throws `not_found`, also if the end user cannot read
 * it.
 */
export async function findDatabase(ctx: Context, call: ServiceCall, id: string): Promise<Connector> {
  const connector = await findConnector(ctx, call.caller, id);
  const canRead = await databaseReader(ctx, call);
  if (!DATABASE_TYPES.includes(connector.type) || connector.status === 'deleting' || !canRead(connector)) {
    throw notFound('connector', id);
  }
  return connector;
}

const CODES: Partial<Record<SourceError['kind'], ErrorCode>> = { transient: 'unavailable', rate: 'unavailable' };

/**
 * Queries the database of a connector. Throws `invalid_request` for a faulty query; `unavailable`,
 * `upstream_error` or `timeout` if the database fails.
 */
export async function useDatabase<T>(
  ctx: Context,
  call: ServiceCall,
  connectorId: string,
  query: (database: DatabaseQueries, call: ConnectorCall) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    return await ctx.sources.use(connectorId, async ({ database }) => {
      if (database === undefined) throw new SourceError('invalid', 'The connector is not a database.');
      return query(database, { signal });
    });
  } catch (error) {
    if (error instanceof QueryError) throw invalidRequest([{ path: 'sql', message: error.message }]);
    if (error instanceof SourceError) {
      const message = `The database request failed: ${error.message}`;
      throw new AppError(CODES[error.kind] ?? 'upstream_error', message, { cause: error });
    }
    if (signal.aborted && !call.signal.aborted) {
      throw new AppError('timeout', 'The database did not respond in time. Try again.', { cause: error });
    }
    throw error;
  }
}
