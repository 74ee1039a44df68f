import { AppError, newId, storeTrace } from '@lectern/service-kit';
import type { Connector, JobKind, Prisma, SyncJob, SyncMode } from '#gen/prisma/client';
import { moveConnector } from '../connectors/connector-machine.ts';
import { lockConnector } from '../connectors/lock-connector.ts';
import type { Context } from '../context.ts';
import { enqueuePlans } from '../plan/enqueue-plan.ts';
import { ACTIVE_JOB } from './job-machine.ts';

export interface SyncOrder {
  /** Chosen by who asks; a new one where it is left out. */
  readonly id?: string | undefined;
  readonly kind?: JobKind;
  readonly mode: SyncMode;
  readonly fileFilter: readonly string[];
  readonly confirmDeletions: boolean;
  /** Started by the connector's schedule, and by nobody who waits for it. */
  readonly scheduled?: boolean;
}

/** A job that looks up anew who may read the documents. */
export const PERMISSION_REFRESH: SyncOrder = {
  kind: 'permissions',
  mode: 'auto',
  fileFilter: [],
  confirmDeletions: false,
};

const REFUSED: Readonly<Record<string, string>> = {
  pending_auth: 'The connector waits for its authorisation.',
  paused: 'The connector is paused.',
};

/** What stands beside a connector's jobs. A job that a person starts does not wait for what an earlier one was told. */
async function prepareState(tx: Prisma.TransactionClient, connectorId: string, order: SyncOrder): Promise<void> {
  const fresh = order.scheduled === true ? {} : { throttledUntil: null, throttleReason: null, throttles: 0 };
  const update = { ...fresh, ...(order.kind === 'permissions' ? { permissionsDue: false } : {}) };
  await tx.syncState.upsert({ where: { connectorId }, create: { connectorId }, update });
}

/**
 * Makes a job and queues its planning; one that an earlier try of the same call has made is the answer. Throws `conflict` where another is active (with its id), or the connector cannot be synced.
 */
export async function startSync(ctx: Context, connector: Connector, order: SyncOrder): Promise<SyncJob> {
  const { id: connectorId, teamId } = connector;
  const job = await ctx.db.$transaction(async (tx) => {
    await lockConnector(tx, connectorId);
    const made =
      order.id === undefined ? null : await tx.syncJob.findUnique({ where: { id: order.id, teamId, connectorId } });
    if (made !== null) return made;
    const active = await tx.syncJob.findFirst({ where: { connectorId, status: { in: ACTIVE_JOB } } });
    if (active !== null) {
      throw new AppError('conflict', 'A sync of this connector is at work already.', { details: { jobId: active.id } });
    }
    if (!(await moveConnector(tx, connectorId, 'syncing'))) {
      const { status } = await tx.connector.findUniqueOrThrow({ where: { id: connectorId } });
      throw new AppError('conflict', REFUSED[status] ?? 'The connector cannot be synced now.', { details: { status } });
    }
    await prepareState(tx, connectorId, order);
    const { kind = 'sync', mode, fileFilter, confirmDeletions, scheduled = false } = order;
    return tx.syncJob.create({
      data: {
        ...{ id: order.id ?? newId('job'), teamId, connectorId, kind, mode, scheduled, confirmDeletions },
        fileFilter: [...fileFilter],
        traceParent: storeTrace() ?? null,
      },
    });
  });
  await enqueuePlans(ctx);
  return job;
}
