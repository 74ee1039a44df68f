import type { Context } from '../context.ts';

/** What the collection service returns at most. */
const PAGE = 500;
/** A round looks at one page of connectors; the next one goes on behind it. */
const places = new WeakMap<Context, string>();

/**
 * Removes groups whose connector is gone: those of an earlier version, which kept them, and those whose removal was lost. A connector has its row
 * before its groups are read, and ids are never used again.
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
