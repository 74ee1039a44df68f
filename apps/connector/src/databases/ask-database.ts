import { type ConnectorCall, type DatabaseQueries, QueryError, SourceError } from '@lectern/connectors';
import { AppError, type ErrorCode, invalidRequest, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '../context.ts';

// Longer than what a query may take: what the connection costs comes on top.
const DEADLINE_MS = 20_000;

const CODES: Partial<Record<SourceError['kind'], ErrorCode>> = { transient: 'unavailable', rate: 'unavailable' };

/** Asks the database behind a connector. Throws `invalid_request` for what the question's author can mend, and why a database could not be asked. */
export async function askDatabase<T>(
  ctx: Context,
  call: ServiceCall,
  connectorId: string,
  ask: (database: DatabaseQueries, call: ConnectorCall) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(DEADLINE_MS)]);
  try {
    return await ctx.sources.use(connectorId, async (source) => {
      if (source.database === undefined) throw new SourceError('invalid', 'The connector is no database.');
      return ask(source.database, { signal });
    });
  } catch (error) {
    if (error instanceof QueryError) throw invalidRequest([{ path: 'sql', message: error.message }]);
    if (error instanceof SourceError) {
      throw new AppError(CODES[error.kind] ?? 'upstream_error', `The database could not be asked: ${error.message}`, {
        cause: error,
      });
    }
    if (signal.aborted && !call.signal.aborted)
      throw new AppError('timeout', 'The database did not answer in time.', { cause: error });
    throw error;
  }
}
