import { notFound, type ServiceCall } from '@lectern/service-kit';
import type { Connector } from '#gen/prisma/client';
import { findConnector } from '../connectors/find-connector.ts';
import type { Context } from '../context.ts';
import { jsonObject } from '../files/json-object.ts';

/** The types of sources that are databases. */
export const DATABASE_TYPES = ['postgresql'];

const PUBLIC = ['public'];

/** Who may read all of a database: rows have no readers of their own. */
function principalsOf(config: unknown): readonly string[] {
  const { principals } = jsonObject(config);
  return Array.isArray(principals) ? principals.map(String) : PUBLIC;
}

/** Tells which connectors' databases the end user of a call may read; without a user, the key's scope alone decides. */
export async function databaseReader(
  ctx: Context,
  call: ServiceCall,
): Promise<(connector: Pick<Connector, 'config'>) => boolean> {
  if (call.caller.userEmail === undefined) return () => true;
  const own = new Set(await ctx.index.principalsOf(call));
  return ({ config }) => principalsOf(config).some((principal) => own.has(principal));
}

/** The connector behind a database that the caller may ask. Throws `not_found` also where the end user may not read it. */
export async function findDatabase(ctx: Context, call: ServiceCall, id: string): Promise<Connector> {
  const connector = await findConnector(ctx, call.caller, id);
  const mayRead = await databaseReader(ctx, call);
  if (!DATABASE_TYPES.includes(connector.type) || connector.status === 'deleting' || !mayRead(connector)) {
    throw notFound('connector', id);
  }
  return connector;
}
