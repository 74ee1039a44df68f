import type { ListDatabasesRequest, ListDatabasesResponse } from '@lectern/contracts';
import type { ServiceCall } from '@lectern/service-kit';
import { jsonObject } from '#common/json';
import type { Context } from '#context';
import { DATABASE_TYPES, databaseReader } from '#sources/databases';

const MAX_DATABASES = 50;

export const listDatabases =
  (ctx: Context) =>
  async (request: ListDatabasesRequest, call: ServiceCall): Promise<ListDatabasesResponse> => {
    const { teamId, scope } = call.caller;
    const requested = request.collectionIds.length === 0 ? {} : { in: request.collectionIds };
    const rows = await ctx.db.connector.findMany({
      where: {
        teamId,
        type: { in: DATABASE_TYPES },
        status: { not: 'deleting' },
        AND: [{ collectionId: requested }, { collectionId: scope.kind === 'all' ? {} : { in: [...scope.ids] } }],
      },
      orderBy: { id: 'asc' },
      take: MAX_DATABASES,
    });
    const canRead = await databaseReader(ctx, call);
    const databases = rows.filter(canRead).map(({ id, name, config }) => {
      const { database, schema } = jsonObject(config);
      return { connectorId: id, name, database: String(database ?? ''), schema: String(schema ?? 'public') };
    });
    return { databases };
  };
