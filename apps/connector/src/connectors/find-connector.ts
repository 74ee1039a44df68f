import { type Caller, isId, notFound, requireReach } from '@lectern/service-kit';
import type { Context } from '../context.ts';
import { type ConnectorRow, WITH_SECRET } from './to-message.ts';

/** A connector of the caller's team. Throws `not_found`, or `forbidden` where the key does not reach its collection. */
export async function findConnector(ctx: Context, caller: Caller, id: string): Promise<ConnectorRow> {
  const { teamId } = caller;
  const found = isId('connector', id)
    ? await ctx.db.connector.findFirst({ where: { id, teamId }, include: WITH_SECRET })
    : null;
  if (found === null) throw notFound('connector', id);
  requireReach(caller, found.collectionId);
  return found;
}
