import type { ConnectorCall } from '../../connector.ts';
import type { DatabaseClient } from '../open-database.ts';
import { admitQuery } from './admit-query.ts';
import { checkQuery } from './check-query.ts';
import { describeTables, type TableInfo } from './describe-table.ts';
import { type QueryLimits, type QueryResult, runQuery } from './run-query.ts';

const MAX_TABLES = 500;

/** What can be asked of a source that is a database. All of it reads. */
export interface DatabaseQueries {
  /** The readable tables and views by name, 500 at most; or the one of that name. */
  describeTables(call: ConnectorCall, table?: string): Promise<readonly TableInfo[]>;
  /** Runs one SELECT. Throws `QueryError` for what its author can mend, `SourceError` for the rest. */
  query(call: ConnectorCall, sql: string, limits?: QueryLimits): Promise<QueryResult>;
}

/** Queries of a database's schema, each on a connection of its own: none finds what another left behind. */
export function createDatabaseQueries(
  schema: string,
  take: (signal: AbortSignal) => Promise<{ readonly client: DatabaseClient; end(): void }>,
): DatabaseQueries {
  const lend = async <T>({ signal }: ConnectorCall, use: (client: DatabaseClient) => Promise<T>): Promise<T> => {
    const { client, end } = await take(signal);
    try {
      return await use(client);
    } finally {
      end();
    }
  };
  return {
    describeTables: (call, table) =>
      lend(call, (client) => describeTables(client, { schema, table, limit: MAX_TABLES })),
    query: async (call, sql, limits) => {
      const query = await checkQuery(sql, schema);
      const admit = (client: DatabaseClient) => admitQuery(client, { sql, schema, query });
      return lend(call, (client) => runQuery(client, { sql, admit, ...(limits === undefined ? {} : { limits }) }));
    },
  };
}
