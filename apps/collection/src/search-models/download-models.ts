import { randomUUID } from 'node:crypto';
import { pullModel } from '@lectern/embeddings';
import { holdLease } from '@lectern/resilience';
import { toAppError } from '@lectern/service-kit';
import type { Context } from '#context';
import type { Prisma } from '#gen/prisma/client';
import { choiceOf } from '#search-models/choices';

/** Between two updates of the progress in the row. */
const PROGRESS_MS = 1_000;

/**
 * Creates a round that downloads requested models. A download that was interrupted continues in the
 * next round.
 */
export function createDownloadRound(context: Context): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const { db, log } = context;
    const pending = await db.searchModelDownload.findMany({ where: { status: 'pending' } });
    for (const { id } of pending) {
      signal.throwIfAborted();
      try {
        await download(context, id, signal);
      } catch (err) {
        signal.throwIfAborted();
        log.warn({ err, model: id }, 'could not work on the download of an embedding model');
      }
    }
  };
}

async function download(context: Context, id: string, stop: AbortSignal): Promise<void> {
  const { db, log, config } = context;
  const { offered } = choiceOf(context, id);
  if (offered === undefined || config.MODELS_DIR === undefined) return;
  const leaseMs = config.SPACE_LEASE_MS;
  const leaseSeconds = leaseMs / 1_000;
  const holder = randomUUID();
  const acquired = await db.$executeRaw`
    UPDATE search_model_downloads SET leased_until = now() + make_interval(secs => ${leaseSeconds}), leased_by = ${holder}
    WHERE id = ${id} AND status = 'pending' AND (leased_until IS NULL OR leased_until < now())`;
  if (acquired === 0) return;
  const renew = async () =>
    (await db.$executeRaw`
      UPDATE search_model_downloads SET leased_until = now() + make_interval(secs => ${leaseSeconds})
      WHERE id = ${id} AND leased_by = ${holder}`) > 0;
  /** Changes the row while this process holds its lease. */
  const update = (data: Prisma.SearchModelDownloadUpdateManyMutationInput) =>
    db.searchModelDownload.updateMany({ where: { id, leasedBy: holder }, data });
  const onRenewError = (err: unknown) =>
    log.warn({ err, model: offered.name }, 'could not renew the lease of a download');
  const lease = holdLease(renew, { leaseMs, stop, onRenewError });
  let savedAt = 0;
  const onProgress = ({ storedBytes, totalBytes }: { storedBytes: number; totalBytes: number }) => {
    if (performance.now() - savedAt < PROGRESS_MS) return;
    savedAt = performance.now();
    update({ storedBytes, totalBytes }).catch((err: unknown) =>
      log.warn({ err, model: offered.name }, 'could not save the progress of a download'),
    );
  };
  try {
    log.info({ model: offered.name }, 'downloading an embedding model');
    const { name, pin } = offered;
    const { MODELS_DIR: modelsDir, MODELS_HUB_URL: hubUrl } = config;
    const { revision } = await pullModel({ name, modelsDir, hubUrl, pin, onProgress, signal: lease.signal });
    await update({ status: 'done', error: null });
    log.info({ model: offered.name, revision }, 'downloaded an embedding model');
  } catch (err) {
    if (lease.signal.aborted) return;
    log.warn({ err, model: offered.name }, 'could not download an embedding model');
    await update({ status: 'failed', error: toAppError(err).message });
  } finally {
    lease.stopRenewing();
    await update({ leasedUntil: null, leasedBy: null });
  }
}
