import type { ConnectorCall } from '#connector';
import type { DatabaseClient } from '#postgresql/open-database';
import { admitQuery } from '#postgresql/query/admit-query';
import { checkQuery } from '#postgresql/query/check-query';
import { describeTables, type TableInfo } from '#postgresql/query/describe-table';
import { type QueryLimits, type QueryResult, runQuery } from '#postgresql/query/run-query';

const MAX_TABLES = 500;

/** Read-only queries of a source that is a database. */
export interface DatabaseQueries {
  /** Returns the readable tables and views by name, at most 500; or only `table`. */
  describeTables(call: ConnectorCall, table?: string): Promise<readonly TableInfo[]>;
  /** Runs one SELECT. Throws `QueryError` if its author can fix it, else `SourceError`. */
  query(call: ConnectorCall, sql: string, limits?: QueryLimits): Promise<QueryResult>;
}

/** Creates queries of a schema. Each uses a new connection, so that no state is shared. */
export function createDatabaseQueries(
  schema: string,
  take: (signal: AbortSignal) => Promise<{ readonly client: DatabaseClient; end(): void }>,
): DatabaseQueries {
  const withClient = async <T>({ signal }: ConnectorCall, use: (client: DatabaseClient) => Promise<T>): Promise<T> => {
    const { client, end } = await take(signal);
    try {
      return await use(client);
    } finally {
      end();
    }
  };
  return {
    describeTables: (call, table) =>
      withClient(call, (client) => describeTables(client, { schema, table, limit: MAX_TABLES })),
    query: async (call, sql, limits) => {
      const query = await checkQuery(sql, schema);
      const admit = (client: DatabaseClient) => admitQuery(client, { sql, schema, query });
      return withClient(call, (client) =>
        runQuery(client, { sql, admit, ...(limits === undefined ? {} : { limits }) }),
      );
    },
  };
}
