import type { QueryDatabaseRequest, QueryDatabaseResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import type { Context } from '#context';
import { findDatabase, useDatabase } from '#sources/databases';

export const queryDatabase =
  (ctx: Context) =>
  async ({ connectorId, sql }: QueryDatabaseRequest, call: ServiceCall): Promise<QueryDatabaseResponse> => {
    const { id } = await findDatabase(ctx, call, connectorId);
    const { columns, rows, truncated } = await useDatabase(ctx, call, id, (database, options) =>
      database.query(options, sql),
    );
    return {
      columns: [...columns],
      rows: rows.map((values) => ({ values: values.map((text) => ({ text: text ?? undefined })) })),
      truncated,
    };
  };
