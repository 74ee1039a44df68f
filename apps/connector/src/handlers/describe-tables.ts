import type { DescribeTablesRequest, DescribeTablesResponse } from '@lectern/contracts';
import { notFound, type ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { findDatabase, useDatabase } from '#sources/databases';

export const describeTables =
  (ctx: Context) =>
  async ({ connectorId, table }: DescribeTablesRequest, call: ServiceCall): Promise<DescribeTablesResponse> => {
    const { id } = await findDatabase(ctx, call, connectorId);
    const tables = await useDatabase(ctx, call, id, (database, options) => database.describeTables(options, table));
    if (table !== undefined && tables.length === 0) throw notFound('table', table);
    return {
      tables: tables.map(({ columns, comment, estimatedRows, primaryKey, foreignKeys, ...rest }) => ({
        ...rest,
        primaryKey: [...primaryKey],
        foreignKeys: [...foreignKeys],
        comment: comment ?? undefined,
        estimatedRows: Math.round(estimatedRows),
        columns: columns.map((column) => ({ ...column, comment: column.comment ?? undefined })),
      })),
    };
  };
