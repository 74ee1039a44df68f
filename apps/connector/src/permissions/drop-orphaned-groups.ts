import type { Context } from '../context.ts';

/** The maximum page size of the collection service. */
const PAGE = 500;
/** Each round processes one page of connectors; the next round continues after it. */
const places = new WeakMap<Context, string>();

/**
 * Removes the groups of deleted connectors: those kept by an earlier version, and those whose
 * removal failed. This is safe because a connector's row exists before its groups are read, and ids
 * are never reused.
 */
export async function dropOrphanedGroups(ctx: Context, signal: AbortSignal): Promise<void> {
  const stored = await ctx.index.groupConnectors(places.get(ctx) ?? '', signal);
  const ids = stored.map(({ connectorId }) => connectorId);
  const rows = await ctx.db.connector.findMany({
    where: { id: { in: ids }, status: { not: 'deleting' } },
    select: { id: true },
  });
  const known = new Set(rows.map(({ id }) => id));
  for (const { connectorId, teamId } of stored) {
    if (!known.has(connectorId)) await ctx.index.dropGroups(teamId, { connectorId, deleted: true }, signal);
  }
  places.set(ctx, stored.length < PAGE ? '' : (ids.at(-1) ?? ''));
}
