import { AppError, newId, notFound } from '@lectern/service-kit';
import { lockConnector } from '#connectors/connector';
import type { Context } from '#context';
import type { Prisma, PushSnapshot } from '#gen/prisma/client';

// The life of a snapshot, from top to bottom: start, naming, cancellation, purge. Its completion is
// in complete-snapshot.ts. All changes lock the connector first.

/** An open snapshot expires this long after its last batch. */
const EXPIRES_AFTER_MS = 24 * 3_600_000;

const expiry = (): Date => new Date(Date.now() + EXPIRES_AFTER_MS);

/** What a snapshot is now; `expired` is not stored. */
export type SnapshotState = PushSnapshot['status'] | 'expired';

const OPEN: PushSnapshot['status'][] = ['open', 'held'];

export function snapshotState({ status, expiresAt }: PushSnapshot): SnapshotState {
  return OPEN.includes(status) && expiresAt <= new Date() ? 'expired' : status;
}

/** Finds a snapshot of a connector. Throws `not_found`. */
export async function findSnapshot(
  tx: Prisma.TransactionClient,
  connectorId: string,
  id: string,
): Promise<PushSnapshot> {
  const found = await tx.pushSnapshot.findFirst({ where: { id, connectorId } });
  if (found === null) throw notFound('snapshot', id);
  return found;
}

const WHY_CLOSED: Readonly<Record<Exclude<SnapshotState, 'open' | 'held'>, string>> = {
  expired: 'The snapshot has expired, because it received no batch for 24 hours.',
  cancelled: 'The snapshot was cancelled, or a newer one replaced it.',
  completed: 'The snapshot is already completed.',
};

/** Returns a snapshot that is open or held. Throws `conflict` for others. */
export function requireOpen(snapshot: PushSnapshot): PushSnapshot {
  const state = snapshotState(snapshot);
  if (state === 'open' || state === 'held') return snapshot;
  throw new AppError('conflict', `${WHY_CLOSED[state]} Start a new one.`, { details: { status: state } });
}

// --- Start ---

/** Starts a snapshot. It replaces one that is open, so that a client that crashed can start again. */
export async function startSnapshot(ctx: Context, connectorId: string, id: string | undefined): Promise<PushSnapshot> {
  return ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connectorId);
    const existing = id === undefined ? null : await tx.pushSnapshot.findFirst({ where: { id, connectorId } });
    if (existing !== null) return existing;
    await tx.pushSnapshot.updateMany({ where: { connectorId, status: { in: OPEN } }, data: { status: 'cancelled' } });
    return tx.pushSnapshot.create({ data: { id: id ?? newId('snapshot'), connectorId, expiresAt: expiry() } });
  });
}

// --- Name ---

interface Named {
  /** Undefined: the push is not part of a snapshot. */
  readonly snapshotId: string | undefined;
  readonly ids: readonly string[];
  /** The items that the push changed. */
  readonly acceptedIds: readonly string[];
  readonly invalidIds: readonly string[];
  readonly hasInvalidId: boolean;
}

/**
 * Records that a push named items. Changes that arrive during a snapshot without being a part of it
 * name their items too: the client may have listed its system before they happened.
 */
export async function nameItems(tx: Prisma.TransactionClient, connectorId: string, named: Named): Promise<void> {
  const { snapshotId, ids, acceptedIds, invalidIds, hasInvalidId } = named;
  if (snapshotId === undefined) {
    const open = await tx.pushSnapshot.findFirst({ where: { connectorId, status: { in: OPEN } } });
    if (open !== null) await nameAs(tx, connectorId, open.id, acceptedIds);
    return;
  }
  await nameAs(tx, connectorId, snapshotId, [...ids, ...invalidIds]);
  await tx.pushSnapshot.update({
    where: { id: snapshotId },
    data: { status: 'open', expiresAt: expiry(), ...(hasInvalidId ? { hasInvalidId } : {}) },
  });
}

async function nameAs(tx: Prisma.TransactionClient, connectorId: string, snapshotId: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  await tx.pushedItem.updateMany({ where: { connectorId, itemId: { in: [...ids] } }, data: { snapshotId } });
}

/** Counts the items that a snapshot has named so far. */
export function countNamed(tx: Prisma.TransactionClient, { id, connectorId }: PushSnapshot): Promise<number> {
  return tx.pushedItem.count({ where: { connectorId, snapshotId: id, contentRevision: { not: null } } });
}

// --- Cancel ---

/** Cancels an open snapshot. Nothing is deleted. A repeated call returns the cancelled snapshot. */
export async function cancelSnapshot(ctx: Context, connectorId: string, id: string): Promise<PushSnapshot> {
  return ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connectorId);
    const found = await findSnapshot(tx, connectorId, id);
    if (found.status === 'cancelled') return found;
    const snapshot = requireOpen(found);
    const named = await countNamed(tx, snapshot);
    return tx.pushSnapshot.update({ where: { id }, data: { status: 'cancelled', named } });
  });
}

// --- Purge ---

/** Days for which deletions are remembered, so that late changes cannot restore an item. */
const DELETED_DAYS = 90;
/** Days for which ended snapshots are kept. */
const SNAPSHOT_DAYS = 30;
const PURGE_BATCH = 5_000;

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

/** Forgets old deletions and old snapshots, at most one batch per call. */
export async function purgePushed({ db }: Pick<Context, 'db'>): Promise<void> {
  await db.$executeRaw`
    DELETE FROM pushed_items WHERE (connector_id, item_id) IN (
      SELECT connector_id, item_id FROM pushed_items
      WHERE content_revision IS NULL AND updated_at < ${daysAgo(DELETED_DAYS)}
      ORDER BY updated_at LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED)`;
  await db.$executeRaw`
    DELETE FROM push_snapshots WHERE id IN (
      SELECT id FROM push_snapshots WHERE expires_at < ${daysAgo(SNAPSHOT_DAYS)}
      ORDER BY expires_at LIMIT ${PURGE_BATCH} FOR UPDATE SKIP LOCKED)`;
}
