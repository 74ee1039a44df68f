import { type Snapshot, SnapshotStatus } from '@lectern/contracts';
import type { Context } from '#context';
import type { PushSnapshot } from '#gen/prisma/client';
import { countNamed, type SnapshotState, snapshotState } from '#push/snapshots';

const STATUS: Readonly<Record<SnapshotState, SnapshotStatus>> = {
  open: SnapshotStatus.OPEN,
  held: SnapshotStatus.HELD,
  completed: SnapshotStatus.COMPLETED,
  cancelled: SnapshotStatus.CANCELLED,
  expired: SnapshotStatus.EXPIRED,
};

/** Converts a snapshot to its contract form, with its counts. */
export async function viewSnapshot(ctx: Context, snapshot: PushSnapshot): Promise<Snapshot> {
  const { id, connectorId, missing, jobId, createdAt, expiresAt } = snapshot;
  const state = snapshotState(snapshot);
  const named = state === 'open' ? await countNamed(ctx.db, snapshot) : snapshot.named;
  return { id, connectorId, status: STATUS[state], named, missing, jobId: jobId ?? undefined, createdAt, expiresAt };
}
