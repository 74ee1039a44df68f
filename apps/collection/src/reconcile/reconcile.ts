import type { StoredVersion } from '@lectern/vector-store';
import type { Context } from '#context';
import { queueIndexing } from '#documents/create-document';
import { markForRebuild } from '#reconcile/rebuild';

const BATCH = 500;

/** The differences that a comparison of rows and vectors repaired. */
export interface Reconciliation {
  /** Stored versions without a row; deleted. */
  readonly orphans: number;
  /** Indexed documents without passages; queued again. */
  readonly missing: number;
}

/**
 * Compares the rows with the vector store in both directions and repairs differences. Work in
 * progress is ignored: a version newer than the row's indexed one belongs to an indexing that has
 * not committed yet.
 */
export async function reconcile(context: Context): Promise<Reconciliation> {
  const places = await context.db.$queryRaw<{ readonly teamId: string; readonly model: string }[]>`
    SELECT DISTINCT team_id AS "teamId", unnest(array_append(previous_models, embedding_model)) AS model FROM collections`;
  let orphans = 0;
  let missing = 0;
  for (const { teamId, model } of places) {
    orphans += await deleteOrphans(context, teamId, model);
    missing += await requeueMissing(context, teamId, model);
  }
  return { orphans, missing };
}

async function deleteOrphans(context: Context, team: string, model: string): Promise<number> {
  let found = 0;
  let batch: StoredVersion[] = [];
  const flush = async () => {
    found += await deleteOrphansOf(context, team, model, batch);
    batch = [];
  };
  for await (const stored of context.store.scrollDocuments(model, { team })) {
    batch.push(stored);
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  return found;
}

async function deleteOrphansOf(
  context: Context,
  team: string,
  model: string,
  stored: readonly StoredVersion[],
): Promise<number> {
  const rows = await context.db.document.findMany({
    where: { id: { in: stored.map(({ document }) => document) } },
    select: {
      id: true,
      status: true,
      version: true,
      indexedVersion: true,
      indexedModel: true,
      collection: { select: { embeddingModel: true } },
    },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  const orphans = stored.filter(({ document, version }) => {
    const row = byId.get(document);
    if (row === undefined || row.status === 'deleted') return true;
    // Passages under the current model may be in progress; under another model that the row does
    // not name they are orphans.
    if (model !== row.indexedModel && model !== row.collection.embeddingModel) return true;
    return version !== row.indexedVersion && version < row.version;
  });
  for (const { document, version } of orphans) await context.store.deleteVersion(model, { team, document, version });
  return orphans.length;
}

async function requeueMissing(context: Context, teamId: string, model: string): Promise<number> {
  let found = 0;
  let after = '';
  for (;;) {
    const rows = await context.db.document.findMany({
      where: { teamId, status: 'indexed', chunkCount: { gt: 0 }, indexedModel: model, id: { gt: after } },
      select: { id: true, teamId: true, version: true, chunkCount: true },
      orderBy: { id: 'asc' },
      take: BATCH,
    });
    const last = rows.at(-1);
    if (last === undefined) return found;
    after = last.id;
    const counts = await context.store.countByDocument(model, {
      team: teamId,
      documents: rows.map(({ id }) => id),
    });
    const short = rows.filter(({ id, chunkCount }) => (counts.get(id) ?? 0) < chunkCount);
    const marked = new Set(await markForRebuild(context.db, short));
    for (const row of short.filter(({ id }) => marked.has(id))) await queueIndexing(context, row, Date.now());
    found += marked.size;
  }
}
