import { toPrincipals } from '@lectern/contracts';
import { COLLECTION_MODELS, modelsOf } from '#collections/collection-models';
import type { Context } from '#context';
import { LIVE_STATES } from '#document-status';
import { noteMissingGroups } from '#groups/note-missing-groups';

/** The principals with read access to an item's document. */
export interface ItemPermissions {
  readonly externalId: string;
  /** Empty: no one has access. */
  readonly principals: readonly string[];
}

/**
 * Replaces the principals of a connector's documents: first in the rows, then in the passages. A
 * concurrent indexing that has read the old row compares it at the end. Passages are written even
 * if the row is unchanged, because an earlier run may have stopped between the two. Returns the
 * number of documents.
 */
export async function setPermissions(
  context: Context,
  { teamId, connectorId, items }: { teamId: string; connectorId: string; items: readonly ItemPermissions[] },
  signal: AbortSignal,
): Promise<number> {
  const rows = await context.db.document.findMany({
    where: {
      teamId,
      connectorId,
      externalId: { in: items.map((item) => item.externalId) },
      status: { in: LIVE_STATES },
    },
    select: { id: true, externalId: true, collection: { select: COLLECTION_MODELS } },
  });
  const principalsByItem = new Map(items.map((item) => [item.externalId, toPrincipals(item.principals).sort()]));
  const groups = Map.groupBy(rows, ({ externalId, collection }) =>
    JSON.stringify([modelsOf(collection), principalsByItem.get(externalId ?? '') ?? []]),
  );
  for (const group of groups.values()) {
    const [first] = group;
    if (first === undefined) continue;
    const documents = group.map(({ id }) => id);
    const principals = principalsByItem.get(first.externalId ?? '') ?? [];
    await noteMissingGroups(context.db, { connectorId, renew: false }, principals);
    await context.db.$executeRaw`
      UPDATE documents SET principals = ${principals}::text[]
      WHERE id = ANY(${documents}) AND principals IS DISTINCT FROM ${principals}::text[]`;
    for (const model of modelsOf(first.collection))
      await context.store.setPrincipals(model, { team: teamId, documents, principals, signal });
  }
  return rows.length;
}
