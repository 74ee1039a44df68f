import type { SourceRef } from '@lectern/connectors';
import { newId, storeTrace } from '@lectern/service-kit';
import type { Connector, Prisma } from '#gen/prisma/client';
import { moveConnector } from '../connectors/connector-machine.ts';
import { ACTIVE_JOB, isActive } from './job-machine.ts';
import { toJson } from './json-ref.ts';
import { lockJob } from './lock-job.ts';

/** The job that is at work on the connector, locked so that it cannot end before the items are in. */
async function activeJob(tx: Prisma.TransactionClient, connectorId: string): Promise<string | undefined> {
  const found = await tx.syncJob.findFirst({
    where: { connectorId, status: { in: ACTIVE_JOB } },
    select: { id: true },
  });
  const job = found === null ? null : await lockJob(tx, found.id);
  return job !== null && isActive(job.status) ? job.id : undefined;
}

async function startJob(
  tx: Prisma.TransactionClient,
  id: string,
  { id: connectorId, teamId }: Connector,
): Promise<string> {
  await tx.syncState.upsert({ where: { connectorId }, create: { connectorId }, update: {} });
  await tx.syncJob.create({
    data: { id, teamId, connectorId, mode: 'incremental', plannedAt: new Date(), traceParent: storeTrace() ?? null },
  });
  await moveConnector(tx, connectorId, 'syncing');
  return id;
}

/**
 * Adds items to the job at work on the connector, or to a new one over just these. An item that the job has already begins again in a new
 * round, so that whoever works on the old content cannot finish it. The caller has locked the connector.
 */
export async function joinJob(
  tx: Prisma.TransactionClient,
  { id, connector, refs }: { readonly id: string; readonly connector: Connector; readonly refs: readonly SourceRef[] },
): Promise<string> {
  const { id: connectorId, teamId } = connector;
  const jobId = (await activeJob(tx, connectorId)) ?? (await startJob(tx, id, connector));
  const sourceIds = refs.map((ref) => ref.id);
  const existing = await tx.syncItem.findMany({
    where: { jobId, sourceId: { in: sourceIds } },
    select: { id: true, sourceId: true },
  });
  const idOf = new Map(existing.map((item) => [item.sourceId, item.id]));
  for (const ref of refs) {
    const itemId = idOf.get(ref.id);
    if (itemId === undefined) continue;
    await tx.syncItem.update({
      where: { id: itemId },
      data: {
        stage: 'planned',
        action: 'index',
        ref: toJson(ref),
        round: { increment: 1 },
        collected: false,
        parsed: false,
        attempts: 0,
        outages: 0,
        enqueuedAt: null,
        retryAt: null,
        errorCode: null,
        errorMessage: null,
      },
    });
  }
  await tx.syncItem.createMany({
    data: refs
      .filter((ref) => !idOf.has(ref.id))
      .map((ref) => ({
        id: newId('item'),
        teamId,
        connectorId,
        jobId,
        sourceId: ref.id,
        path: ref.path,
        ref: toJson(ref),
      })),
  });
  return jobId;
}
